// What docs/figures.md says of a person who rejects one of two calls: one row, one test.

import { createMCPClient } from "@ai-sdk/mcp";
import { HumanMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { createTools as createAiTools } from "@toolrail/ai-sdk";
import { createHost } from "@toolrail/core";
import { createTools as createGraphTools } from "@toolrail/langgraph";
import { generateText, type ModelMessage, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { createTestServer, serveTools, type TestTool } from "../../packages/core/test/servers.ts";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";

/** The model asks for both in one turn; a person is asked about the refund, and rejects it. */
const TOOLS: Record<string, TestTool> = { note: {}, refund: {} };
const CALLS = ["note", "refund"];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

async function rejectInLangGraph(
  tools: StructuredToolInterface[],
  middleware: readonly ReturnType<typeof humanInTheLoopMiddleware>[],
) {
  const model = new ScriptedModel(
    CALLS.map((name) => calling(name, {}, name)),
    "done",
  );
  const agent = createAgent({ model, tools, middleware, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  const paused = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(paused).toHaveProperty("__interrupt__");
  const decisions = [{ type: "reject", message: "no" }];
  const asked = (paused as unknown as { __interrupt__: { value: { actionRequests: object[] } }[] })
    .__interrupt__[0]?.value.actionRequests;
  expect(asked).toMatchObject([{ name: "refund" }]);
  await agent.invoke(new Command({ resume: { decisions } }), config);
}

async function rejectInAiSdk(tools: ToolSet, toolApproval?: object) {
  const model = new MockLanguageModelV4({
    doGenerate: async () =>
      ({
        content:
          model.doGenerateCalls.length === 1
            ? CALLS.map((toolName) => ({
                ...{ type: "tool-call", toolCallId: toolName, toolName, input: "{}" },
              }))
            : [{ type: "text", text: "done" }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      }) as never,
  });
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  const settings = { model, tools, ...(toolApproval && { toolApproval }) };
  const paused = await generateText({ ...settings, messages });
  const asked = paused.content.filter((part) => part.type === "tool-approval-request");
  expect(asked.map(({ toolCall }) => toolCall.toolName)).toEqual(["refund"]);
  messages.push(...paused.responseMessages, {
    role: "tool",
    content: asked.map(({ approvalId }) => {
      return { type: "tool-approval-response", approvalId, approved: false };
    }),
  });
  await generateText({ ...settings, messages });
}

describe("a person who rejects one of two calls", () => {
  it("LangChain's middleware drops the other call too, though nobody was asked about it.", async () => {
    const { client, calls } = await createTestServer(TOOLS);
    const interruptOn = { refund: true };
    const middleware = [humanInTheLoopMiddleware({ interruptOn } as never)];
    await rejectInLangGraph(await loadMcpTools("shop", client), middleware);
    expect(calls).toEqual([]);
  });

  it("The approvals of the AI SDK make the other call.", async () => {
    const { transport, calls } = await serveTools(TOOLS);
    const tools: ToolSet = await (await createMCPClient({ transport })).tools();
    await rejectInAiSdk(tools, { refund: "user-approval" });
    expect(calls).toEqual(["note"]);
  });

  it("Toolrail makes the other call in both frameworks.", async () => {
    for (const run of ["LangGraph", "AI SDK"]) {
      const { client, calls } = await createTestServer(TOOLS);
      const host = await createHost({ servers: { shop: client }, requireApproval: ["refund"] });
      if (run === "LangGraph") await rejectInLangGraph(createGraphTools(host), []);
      else await rejectInAiSdk(createAiTools(host));
      expect(calls, run).toEqual(["note"]);
    }
  });
});
