import { MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { singleStepMiddleware } from "../src/guard/index.ts";
import { createTools } from "../src/index.ts";
import { builds } from "./builds.ts";
import { openBank, outline, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = { a: { answer: () => asking("b", {}, "on to b") }, b: {} };
const TURNS = ["ai: a", "tool c1: on to b", "ai: b", "tool hop: b done", "ai: done"];

it.each([
  { name: "inside", lines: ["ai: a", "tool c1: a:on to bThen b was called:b done", "ai: done"] },
  { name: "middleware", lines: TURNS },
  { name: "node", lines: TURNS },
] as const)("Every message of a run is streamed once, as it is there ($name).", async (parts) => {
  const { host } = await openBank(CHAIN, { authorize: () => "allow" });
  const model = new ScriptedModel([calling("a")], "done");
  const checkpointer = new MemorySaver();
  const graph = builds[parts.name]({ host, model, tools: createTools(host), checkpointer });
  const config = { configurable: { thread_id: "1" } };
  const messages = [];
  for await (const [message] of await graph.stream(QUESTION, {
    ...config,
    streamMode: "messages",
  })) {
    messages.push(message);
  }
  expect(outline(messages).map((line) => line.replace(/hop-\S+:/, "hop:"))).toEqual(parts.lines);
  const { values } = await graph.getState(config);
  expect(messages.map(({ id }) => id)).toEqual(
    (values as typeof MessagesAnnotation.State).messages.slice(1).map(({ id }) => id),
  );
});

it("The guard's answers in place of a tool and of the model are streamed.", async () => {
  const { host } = await openBank({ a: { answer: () => ({ content: [], isError: true }) } });
  const model = new ScriptedModel([calling("a")], "done");
  const guard = singleStepMiddleware(host, { allow: { "bank.a": "allow" }, contract: "off" });
  const agent = createAgent({ model, tools: createTools(host), middleware: [guard] });
  const types: string[] = [];
  for await (const [message] of await agent.stream(QUESTION, { streamMode: "messages" })) {
    types.push(message.type);
  }
  expect(types).toEqual(["ai", "tool", "ai"]);
});

it("Hops of a nested graph are streamed with its place.", async () => {
  const { host } = await openBank(CHAIN);
  const model = new ScriptedModel([calling("a")], "done");
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("inner", builds.node({ host, model, tools: createTools(host) }) as never)
    .addEdge(START, "inner")
    .compile();
  const places: string[] = [];
  const stream = await graph.stream(QUESTION, { streamMode: "messages", subgraphs: true });
  for await (const [namespace] of stream) places.push(namespace[0]?.split(":")[0] ?? "");
  expect(places).toEqual(Array(5).fill("inner"));
});
