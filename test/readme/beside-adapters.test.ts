// The tables "Beside other adapters" of docs/figures.md and README.md: one row, one test.
import { createMCPClient } from "@ai-sdk/mcp";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { createTools as createAiTools } from "@toolrail/ai-sdk";
import { createHost, type Host } from "@toolrail/core";
import { createTools as createGraphTools } from "@toolrail/langgraph";
import { generateText, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { beforeAll, describe, expect, it } from "vitest";
import { createTestServer, serveTools, type TestTool } from "../../packages/core/test/servers.ts";

const NUMBER = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const NOT_BOTH = { type: "object", not: { required: ["a", "b"] } };
const text = (words: string, extra: object = {}) => ({ type: "text", text: words, ...extra });
const wrong = { content: [text("x")], structuredContent: { n: "none" } };

const TOOLS: Record<string, TestTool> = {
  chain: {
    answer: () => ({
      content: [text("first")],
      _meta: { nextTool: { tool: "next", arguments: {} } },
    }),
  },
  next: { answer: () => ({ content: [text("second")] }) },
  letter: {
    answer: () => ({ content: [text("Dear you", { annotations: { audience: ["user"] } })] }),
  },
  both: { answer: () => ({ content: [text('{"n":1}')], structuredContent: { n: 1 } }) },
  fail: {
    answer: () => ({ content: [text("out")], structuredContent: { till: 7 }, isError: true }),
  },
  strict: { definition: { inputSchema: NOT_BOTH }, answer: () => ({ content: [text("taken")] }) },
  wrong: { definition: { outputSchema: NUMBER }, answer: () => wrong },
  widget: { definition: { _meta: { ui: { visibility: ["app"] } } } },
};

/** What a model reads of one call; an error of LangChain's is thrown. */
type Read = (tool: string, args?: object) => Promise<string>;
interface Adapter {
  readonly names: readonly string[];
  readonly read: Read;
  readonly calls: readonly string[];
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function readByAiSdk(tools: ToolSet): Read {
  return async (toolName, args = {}) => {
    const input = JSON.stringify(args);
    const model = new MockLanguageModelV4({
      doGenerate: async () =>
        ({
          content:
            model.doGenerateCalls.length === 1
              ? [{ type: "tool-call", toolCallId: "1", toolName, input }]
              : [text("done")],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        }) as never,
    });
    await generateText({ model, tools, prompt: "go", stopWhen: ({ steps }) => steps.length === 2 });
    return JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
  };
}

interface LangChainTool {
  readonly name: string;
  invoke(call: object): Promise<unknown>;
}

function readByLangChain(tools: readonly LangChainTool[]): Read {
  return async (name, args = {}) => {
    const tool = tools.find((one) => one.name === name);
    const message = await tool?.invoke({ type: "tool_call", id: "1", name, args });
    const { content, status } = message as { content: unknown; status: unknown };
    return JSON.stringify({ content, status });
  };
}

async function openHost(): Promise<{ host: Host; calls: readonly string[] }> {
  const { client, calls } = await createTestServer(TOOLS);
  return { host: await createHost({ servers: { shop: client } }), calls };
}

const adapters = {} as Record<"langchain" | "aiSdk" | "ourLangchain" | "ourAiSdk", Adapter>;
beforeAll(async () => {
  const langchain = await createTestServer(TOOLS);
  const loaded = await loadMcpTools("shop", langchain.client);
  adapters.langchain = {
    names: loaded.map(({ name }) => name),
    read: readByLangChain(loaded),
    calls: langchain.calls,
  };
  const aiSdk = await serveTools(TOOLS);
  const tools: ToolSet = await (await createMCPClient({ transport: aiSdk.transport })).tools();
  adapters.aiSdk = { names: Object.keys(tools), read: readByAiSdk(tools), calls: aiSdk.calls };
  const ours = await openHost();
  const graphTools = createGraphTools(ours.host);
  adapters.ourLangchain = {
    names: graphTools.map(({ name }) => name),
    read: readByLangChain(graphTools),
    calls: ours.calls,
  };
  const aiTools = createAiTools(ours.host);
  adapters.ourAiSdk = {
    names: Object.keys(aiTools),
    read: readByAiSdk(aiTools),
    calls: ours.calls,
  };
});

const all = (tool: string, args?: object) =>
  Promise.all(
    [adapters.langchain, adapters.aiSdk, adapters.ourLangchain, adapters.ourAiSdk].map(({ read }) =>
      read(tool, args).catch((error: Error) => `throws ${error.message}`),
    ),
  );

describe("beside plain adapters", () => {
  it("Plain adapters show nextTool as JSON or drop it; Toolrail follows it.", async () => {
    const [langchain, aiSdk, ...ours] = await all("chain");
    expect(langchain).toContain("nextTool");
    expect(aiSdk).not.toMatch(/nextTool|second/);
    for (const one of ours) expect(one).toMatch(/second/);
    expect(adapters.langchain.calls).not.toContain("next");
    expect(adapters.aiSdk.calls).not.toContain("next");
  });

  it("The model of plain adapters reads content for the user alone.", async () => {
    const read = await all("letter");
    expect(read.map((one) => one.includes("Dear you"))).toEqual([true, true, false, false]);
  });

  it("The model reads structuredContent that repeats its text twice or once.", async () => {
    const times = (await all("both")).map((one) => one.match(/\bn\b[\\"]*:1/g)?.length ?? 0);
    expect(times).toEqual([2, 1, 1, 1]);
  });

  it("An error throws without details, or passes as an ordinary output; Toolrail gives an error with details.", async () => {
    const [langchain, aiSdk, ...ours] = await all("fail");
    expect(langchain).toMatch(/^throws (?!.*till)/);
    expect(aiSdk).toMatch(/"type":"content"(?!.*till)/);
    for (const one of ours) expect(one).toMatch(/error.*till|till.*error/);
  });

  it("Plain adapters send arguments that break the schema.", async () => {
    await all("strict", { a: 1, b: 2 });
    const sent = Object.values(adapters).map(({ calls }) => calls.includes("strict"));
    expect(sent).toEqual([true, true, false, false]);
  });

  it("An output that violates its schema is lost or passes unnoticed; with Toolrail it is an error, and the application keeps it.", async () => {
    const [langchain, aiSdk, ...ours] = await all("wrong");
    expect(langchain).toMatch(/^throws .*output schema/);
    expect(aiSdk).toContain('"text":"x"');
    for (const one of ours) {
      expect(one).toMatch(
        /error.*shop\.wrong was called, but its output is invalid|shop\.wrong was called, but its output is invalid.*error/,
      );
      expect(one).not.toContain("none");
    }
    const { host } = await openHost();
    const hop = await host.call({ tool: "wrong" });
    expect(hop.output).toMatchObject({ status: "invalid" });
    expect(hop.result).toEqual(wrong);
  });

  it("Plain adapters offer tools for the application alone.", () => {
    const offered = Object.values(adapters).map(({ names }) => names.includes("widget"));
    expect(offered).toEqual([true, true, false, false]);
  });
});
