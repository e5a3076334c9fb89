import { createHost, type Host, type HostOptions } from "@toolrail/core";
import type { PipeToolCall } from "@toolrail/core/pipe";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestServer, type TestServer } from "../../core/test/servers.ts";
import { createTools, withChaining } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { majors, scriptModel } from "./majors.ts";

async function openHost(
  options: Omit<HostOptions, "servers"> = {},
): Promise<{ host: Host; web: TestServer }> {
  const web = await createTestServer({
    search: {
      definition: { description: "Searches." },
      answer: () => ({ content: [], structuredContent: { pages: ["x".repeat(20_000), "b"] } }),
    },
    pay: {},
    widget: { definition: { _meta: { ui: { visibility: ["app"] } } } },
  });
  const host = await createHost({ ...options, servers: { web: web.client } });
  onTestFinished(() => host.close());
  return { host, web };
}

describe.each(majors)("mcp_pipe under $name", (major) => {
  const { sdk } = major;

  it("A pipe is one call: the model reads its result, and the application gets every step.", async () => {
    const { host } = await openHost();
    const runs: PipeToolCall[] = [];
    const tools = {
      ...createTools(host),
      ...createPipeTool(host, { onResult: (run) => void runs.push(run) }),
    };
    const spec = {
      steps: [{ id: "s", tool: "search" }],
      return: { $ref: "steps.s.structured.pages.1" },
    };
    const script = scriptModel(major, [{ tool: "mcp_pipe", input: spec, id: "t1" }], ["done"]);
    const answer = await sdk.generateText({
      model: script.model,
      tools,
      prompt: "go",
      stopWhen: sdk.stepCountIs(3),
    });
    expect(answer.text).toBe("done");
    expect(script.offered[0]).toEqual(["search", "pay", "mcp_pipe"]);
    expect(JSON.stringify(script.prompts.at(-1))).toContain(
      '{\\"ok\\":true,\\"error\\":\\"\\",\\"result\\":\\"b\\"}',
    );
    expect(JSON.stringify(script.prompts)).not.toContain("x".repeat(20));
    const [output] = answer.steps.flatMap(({ toolResults }) =>
      toolResults.map((one) => one.output),
    );
    expect(output).toMatchObject({ ok: true, result: "b", steps: { s: { id: "s", ok: true } } });
    expect(runs).toMatchObject([
      { toolCallId: "t1", spec, result: { ok: true, steps: { s: { ok: true } } } },
    ]);
    expect(runs[0]?.result.steps.s).toMatchObject({
      hops: [{ origin: { by: "pipe", author: "model" } }],
    });
  });

  it("The model reads what is wrong with its spec.", async () => {
    const { host, web } = await openHost();
    const wrong = {
      steps: [
        { id: "s", tool: "serch" },
        { id: "w", tool: "widget" },
      ],
    };
    const right = { steps: [{ id: "s", tool: "search" }], return: "found" };
    const script = scriptModel(
      major,
      [{ tool: "mcp_pipe", input: wrong }],
      [{ tool: "mcp_pipe", input: right }],
      ["done"],
    );
    const tools = createPipeTool(host);
    await sdk.generateText({
      model: script.model,
      tools,
      prompt: "go",
      stopWhen: sdk.stepCountIs(4),
    });
    const prompt = JSON.stringify(script.prompts[1]);
    expect(prompt).toMatch(/"type":"error-text"/);
    expect(prompt).toMatch(/steps\[0\]\.tool: There is no tool .*serch.*Known tools: web\.search/);
    expect(prompt).toContain("steps[1].tool: tool web.widget is only for the application");
    expect(web.calls).toEqual(["search"]);
  });

  it.each(["createPipeTool", "chainedPipes"])(
    "A pipe of %s calls only the tools that are offered.",
    async (way) => {
      const { host, web } = await openHost();
      const spec = { steps: [{ id: "p", tool: "pay" }] };
      const script = scriptModel(major, [{ tool: "mcp_pipe", input: spec }], ["done"]);
      const { model } = script;
      const offered = ["web.search"];
      const settings =
        way === "createPipeTool"
          ? { model, tools: createPipeTool(host, { tools: offered }) }
          : withChaining(host, {
              model,
              tools: createPipeTool(host, { tools: offered }),
              chaining: { tools: offered },
            });
      const stopWhen = sdk.stepCountIs(3);
      await sdk.generateText({ stopWhen, ...settings, prompt: "go" } as never);
      expect(web.calls).toEqual([]);
      expect(JSON.stringify(script.prompts.at(-1))).toContain("tool web.pay is not offered here");
    },
  );

  it("The model reads that it must itself call what needs approval, and the finished steps are kept.", async () => {
    const { host, web } = await openHost({
      authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
    });
    const runs: PipeToolCall[] = [];
    const tools = createPipeTool(host, { onResult: (run) => void runs.push(run) });
    const steps = [
      { id: "s", tool: "search" },
      { id: "p", tool: "pay" },
    ];
    const script = scriptModel(major, [{ tool: "mcp_pipe", input: { steps } }], ["done"]);
    const stopWhen = sdk.stepCountIs(3);
    await sdk.generateText({ model: script.model, tools, prompt: "go", stopWhen });
    const prompt = JSON.stringify(script.prompts.at(-1));
    expect(prompt).toMatch(
      /steps\.p: web\.pay needs a person's approval .* call the tool directly/,
    );
    expect(web.calls).toEqual(["search"]);
    expect(runs).toMatchObject([{ result: { ok: false, steps: { s: { ok: true } } } }]);
  });

  it("An aborted pipe still reports what was done.", async () => {
    const { host, web } = await openHost();
    const aborter = new AbortController();
    const reason = new Error("enough");
    web.tools.search = {
      answer: () => {
        aborter.abort(reason);
        return new Promise(() => {});
      },
    };
    const runs: PipeToolCall[] = [];
    const tools = createPipeTool(host, { onResult: (run) => void runs.push(run) });
    const spec = { steps: [{ id: "s", tool: "search" }] };
    const { model } = scriptModel(major, [{ tool: "mcp_pipe", input: spec }], ["done"]);
    const running = sdk.generateText({ model, tools, prompt: "go", abortSignal: aborter.signal });
    await Promise.allSettled([running]);
    expect(runs[0]?.result).toMatchObject({ ok: false, steps: { s: { ok: false } } });
  });
});

it("A pipe tool that is switched off is not offered.", async () => {
  const { host } = await openHost();
  expect(createPipeTool(host, { enabled: false })).toEqual({});
});
