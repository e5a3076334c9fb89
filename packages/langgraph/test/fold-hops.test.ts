import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { summarizationMiddleware } from "langchain";
import { expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools, foldHops } from "../src/index.ts";
import { buildChainAgent, chainKinds } from "./builds.ts";
import { openBank, outline, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = {
  a: { answer: () => asking("b", {}, "on to b") },
  b: { answer: () => asking("c", {}, "on to c") },
  c: {},
};
const CONFIG = { configurable: { thread_id: "1" } };

/** Results without a call before them, which providers refuse. */
function orphans(messages: readonly BaseMessage[]): BaseMessage[] {
  const asked = new Set<string>();
  return messages.filter((message) => {
    for (const { id } of (message as { tool_calls?: { id: string }[] }).tool_calls ?? []) {
      asked.add(id);
    }
    return ToolMessage.isInstance(message) && !asked.delete(message.tool_call_id);
  });
}

it.each([1, 2, 3, 4, 5, 6])(
  "Folding leaves no result without its call if a summary keeps the last %i messages.",
  async (messages) => {
    const { host, server } = await openBank(CHAIN);
    const model = new ScriptedModel([calling("a")], "done");
    // The declared parameter of this version is `never` under TypeScript 7.
    const summarize = summarizationMiddleware({
      model: new ScriptedModel("a summary"),
      trigger: { messages: 6 },
      keep: { messages },
    } as never);
    const agent = buildChainAgent({
      host,
      model,
      tools: createTools(host),
      checkpointer: new MemorySaver(),
      besides: summarize as never,
    });
    await agent.invoke(QUESTION, CONFIG);
    await agent.invoke(QUESTION, CONFIG);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(model.read.flatMap(orphans)).toEqual([]);
  },
);

it("A folded result keeps the id and the name of the first result.", async () => {
  const { host } = await openBank(CHAIN);
  const model = new ScriptedModel([calling("a")], "done");
  const { messages } = await buildChainAgent({ host, model, tools: createTools(host) }).invoke(
    QUESTION,
  );
  const { id } = messages[2] ?? {};
  expect(id).toEqual(expect.any(String));
  expect(foldHops(messages)[2]).toMatchObject({ id, name: "a", tool_call_id: "c1" });
});

const PIN = {
  content: [{ type: "text", text: "4711", annotations: { audience: ["user"] } }],
  _meta: { nextTool: { tool: "b", arguments: { pin: "4711" } } },
};

it.each(chainKinds.flatMap((one) => [true, false].map((fold) => ({ ...one, fold }))))(
  "A model reads no arguments of a hop that are for the user alone, also after its first call is gone (fold: $fold, $kind).",
  async ({ build, fold }) => {
    const { host, server } = await openBank({ a: { answer: () => PIN }, b: {} });
    const model = new ScriptedModel([calling("a")], "done");
    const checkpointer = new MemorySaver();
    const parts = { host, model, tools: createTools(host), checkpointer };
    const graph = build({ ...parts, fold, endWhenShown: false });
    const { messages } = await graph.invoke(QUESTION, CONFIG);
    const gone = messages.slice(0, 3).map(({ id }) => new RemoveMessage({ id: id ?? "" }));
    await graph.invoke({ messages: [...gone, new HumanMessage("and now?")] }, CONFIG);
    expect(server.seen.map((call) => call.arguments)).toEqual([{}, { pin: "4711" }]);
    expect(model.read.at(-1)?.map(({ type }) => type)).toEqual(["ai", "tool", "ai", "human"]);
    const read = model.read
      .flat()
      .map((message) => [message.content, AIMessage.isInstance(message) && message.tool_calls]);
    expect(JSON.stringify(read)).not.toContain("4711");
  },
);

it("A message whose metadata only looks like a hop's is left alone.", () => {
  const odd = [null, "hops", ["hops"]].map(
    (toolrail) => new AIMessage({ content: "words", response_metadata: { toolrail } }),
  );
  expect(foldHops(odd)).toEqual(odd);
});

it("A hop whose first call is gone stays a turn of its own.", async () => {
  const { host } = await openBank(CHAIN);
  const model = new ScriptedModel([calling("a")], "done");
  const { messages } = await buildChainAgent({ host, model, tools: createTools(host) }).invoke(
    QUESTION,
  );
  const rest = foldHops(messages.slice(3));
  expect(outline(rest).map((line) => line.replace(/hop-\S+:/, "hop:"))).toEqual([
    "ai: b",
    "tool hop: on to c",
    "ai: c",
    "tool hop: c done",
    "ai: done",
  ]);
});
