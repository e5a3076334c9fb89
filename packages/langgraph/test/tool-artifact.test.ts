import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { artifactOf, createTools } from "../src/index.ts";
import { builds } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CONFIG = { configurable: { thread_id: "1" } };
const text = { type: "text", text: "words" };
const rows = { rows: [{ id: 1 }] };

it.each<[string, object]>([
  ["a text", { content: [text] }],
  ["an image", { content: [{ type: "image", data: "aW1n", mimeType: "image/png" }] }],
  ["a text for the user alone", { content: [{ ...text, annotations: { audience: ["user"] } }] }],
  ["a value that the text mirrors", { content: [text], structuredContent: rows }],
])("An artifact read from a checkpoint holds the whole result: %s.", async (_, result) => {
  const { host } = await openBank({
    a: { definition: { outputSchema: { type: "object" } }, answer: () => result },
  });
  const checkpointer = new MemorySaver();
  const model = new ScriptedModel([calling("a")], "done");
  const graph = builds.node({ host, model, tools: createTools(host), checkpointer });
  await graph.invoke(QUESTION, CONFIG);
  const { values } = await graph.getState(CONFIG);
  const [message] = toolMessages((values as { messages: ToolMessage[] }).messages);
  expect(message && artifactOf(message)?.hops[0]?.result).toEqual(result);
});

describe("artifactOf", () => {
  const read = (artifact: unknown) =>
    artifactOf(new ToolMessage({ tool_call_id: "c1", content: "words", artifact }));

  it("A message of another kind has none.", () => {
    expect([new HumanMessage("hello"), new AIMessage("hello")].map(artifactOf)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("A message without an artifact of Toolrail has none.", () => {
    for (const artifact of [undefined, null, 7, [], {}, { hops: {} }, { hops: [null] }]) {
      expect(read(artifact)).toBeUndefined();
    }
  });
});
