// The code of docs/testing.md, as an application would write it: each block stands here word for word.
import { Command, MemorySaver } from "@langchain/langgraph";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { llmSteps, withChaining } from "@toolrail/ai-sdk";
import { createHost, type HostEvent } from "@toolrail/core";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { generateText, type ModelMessage } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { expect, it } from "vitest";
import { z } from "zod";

async function startShop() {
  const inputSchema = z.object({ order: z.number() });
  const paid: number[] = [];
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  server.registerTool("return_order", { inputSchema }, ({ order }) => ({
    content: [{ type: "text", text: "The order comes back." }],
    _meta: { nextTool: { tool: "refund", arguments: { order } } },
  }));
  server.registerTool("refund", { inputSchema }, ({ order }) => {
    paid.push(order);
    return { content: [{ type: "text", text: "It is paid back." }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await server.connect(far);
  await client.connect(near);
  return { client, paid };
}

async function openHost() {
  const { client, paid } = await startShop();
  const events: HostEvent[] = [];
  const host = await createHost({
    servers: { shop: client },
    requireApproval: ["shop.refund"], // the settings of your application
    onEvent: (event) => events.push(event),
  });
  return { host, paid, events };
}

it("A refund is paid once a person has said so, and not before.", async () => {
  const { host, paid } = await openHost();
  const chain = await host.run({ tool: "shop.return_order", arguments: { order: 7 } });
  expect(chain.ended).toBe("needs-approval");
  expect(chain.pending).toMatchObject({ tool: "refund", arguments: { order: 7 } });
  expect(paid).toEqual([]);

  const rest = await host.resume(chain, "approve"); // or { deny: "no" }
  expect(rest.ended).toBe("complete");
  expect(paid).toEqual([7]);
});

it("The model is asked once before the approval, and once after it.", async () => {
  const { host, paid } = await openHost();
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finishReason = { unified: "stop", raw: undefined } as const;
  const rest = { finishReason, usage, warnings: [] };
  const call = { toolCallId: "1", toolName: "return_order", input: '{"order":7}' };
  const model = new MockLanguageModelV4({
    doGenerate: [
      { content: [{ type: "tool-call", ...call }], ...rest },
      { content: [{ type: "text", text: "Your refund is on its way." }], ...rest },
    ],
  });

  const messages: ModelMessage[] = [{ role: "user", content: "Please return order 7." }];
  const run = () =>
    generateText(
      withChaining(host, {
        ...{ model, messages, stopWhen: llmSteps(5), chaining: { conversation: "test" } },
        experimental_toolApprovalSecret: "a secret of at least 32 characters",
      }),
    );
  const first = await run();
  const asked = first.content.find((part) => part.type === "tool-approval-request");
  const { approvalId = "" } = asked ?? {};
  messages.push(...first.responseMessages, {
    role: "tool",
    content: [{ type: "tool-approval-response", approvalId, approved: true }],
  });
  const second = await run();
  expect(second.text).toBe("Your refund is on its way.");
  expect(paid).toEqual([7]);
  expect(model.doGenerateCalls).toHaveLength(2);
});

it("The agent waits at the refund, and continues from there.", async () => {
  const { host, paid } = await openHost();
  const model = fakeModel()
    .respondWithTools([{ name: "return_order", args: { order: 7 }, id: "1" }])
    .respond(new AIMessage("Your refund is on its way."));
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "1" } };
  const input = { messages: [{ role: "user", content: "Please return order 7." }] };
  const waiting = await agent.invoke(input, thread);
  expect(waiting).toHaveProperty("__interrupt__");
  expect(paid).toEqual([]);

  const yes = new Command({ resume: { decisions: [{ type: "approve" }] } });
  const { messages } = await agent.invoke(yes, thread);
  expect(messages.at(-1)?.text).toBe("Your refund is on its way.");
  expect(paid).toEqual([7]);
});

it("A run says who asked for each call, and what was refused.", async () => {
  const { host, events } = await openHost();
  await host.run({ tool: "shop.return_order", arguments: { order: 7 } });
  const calls = events.filter((event) => event.type === "call");
  const recorded = calls.filter(({ stage }) => stage === "record");
  expect(recorded.map(({ tool, origin }) => [tool, origin.by])).toEqual([
    ["shop.return_order", "application"],
  ]);
  expect(calls.find(({ outcome }) => outcome === "refused")).toMatchObject({
    tool: "shop.refund",
    stage: "authorize",
    code: "needs-approval",
    origin: { by: "chain" },
  });
  expect(events.filter(({ type }) => type === "problem")).toEqual([]); // no misspelt name
});
