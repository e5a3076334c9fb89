import type { ToolMessage } from "@langchain/core/messages";
import { AIMessage, HumanMessage, ToolMessage as Message } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { outcomeOf, singleStepMiddleware } from "../src/guard/index.ts";
import { artifactOf, createTools } from "../src/index.ts";
import { toStored } from "../src/tools/tool-artifact.ts";
import { builds } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CONFIG = { configurable: { thread_id: "1" } };
const LONG = "x".repeat(100_000);
const ROWS = { rows: Array.from({ length: 3_000 }, (_, id) => ({ id, name: `row number ${id}` })) };
interface TestResult {
  readonly content: readonly object[];
  readonly structuredContent?: object;
}
const outputSchema = { type: "object", required: ["rows"] };

/** Results of about 100 KB, each with the schema that its tool lists. */
const results: {
  what: string;
  result: TestResult;
  outputSchema?: object;
  /** The length of what the result says, where it says it twice. */
  length?: number;
}[] = [
  { what: "a text", result: { content: [{ type: "text", text: LONG }] } },
  {
    what: "an embedded resource",
    result: { content: [{ type: "resource", resource: { uri: "a:b", text: LONG } }] },
  },
  {
    what: "an image",
    result: { content: [{ type: "image", data: LONG, mimeType: "image/png" }] },
  },
  {
    what: "a text for the user alone",
    result: { content: [{ type: "text", text: LONG, annotations: { audience: ["user"] } }] },
  },
  { what: "a value", result: { content: [], structuredContent: ROWS }, outputSchema },
  {
    what: "a value that the text mirrors",
    result: {
      content: [{ type: "text", text: JSON.stringify(ROWS) }],
      structuredContent: ROWS,
    },
    outputSchema,
  },
  {
    what: "a text that stands in a value too",
    result: { content: [{ type: "text", text: LONG }], structuredContent: { result: LONG } },
    length: LONG.length,
  },
  {
    what: "a text that stands in a value too, of a tool with a schema",
    result: { content: [{ type: "text", text: LONG }], structuredContent: { result: LONG } },
    length: LONG.length,
    outputSchema: { type: "object", required: ["result"] },
  },
  {
    what: "a value that the text mirrors with indentation",
    result: {
      content: [{ type: "text", text: JSON.stringify(ROWS, null, 2) }],
      structuredContent: ROWS,
    },
    outputSchema,
  },
];

/** The bytes of the latest checkpoint of the thread, as the saver keeps it. */
async function checkpointBytes(saver: MemorySaver): Promise<number> {
  const checkpoints = Object.entries(saver.storage["1"]?.[""] ?? {});
  const [, latest] = checkpoints.toSorted(([a], [b]) => (a < b ? 1 : -1))[0] ?? [];
  return latest?.[0]?.length ?? 0;
}

describe.each(results)("a result of 100 KB with $what", ({ result, length, ...listed }) => {
  const schema = listed.outputSchema;
  const tools = { a: { definition: schema ? { outputSchema: schema } : {}, answer: () => result } };
  // A value stands there as the JSON text that the model reads, with its quotes escaped.
  const read = JSON.stringify(JSON.stringify(result.structuredContent) ?? "");
  const most = 1.1 * (length ?? Math.max(JSON.stringify(result).length, read.length));

  it.each(Object.entries(builds))("A checkpoint holds it once (%s).", async (_, build) => {
    const { host } = await openBank(tools);
    const checkpointer = new MemorySaver();
    const model = new ScriptedModel([calling("a")], "done");
    const graph = build({ host, model, tools: createTools(host), checkpointer });
    await graph.invoke(QUESTION, CONFIG);
    const bytes = await checkpointBytes(checkpointer);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(most);
  });

  it("A checkpoint of a guarded agent holds it once.", async () => {
    const { host } = await openBank(tools);
    const checkpointer = new MemorySaver();
    const agent = createAgent({
      model: new ScriptedModel([calling("a")], "done"),
      tools: createTools(host),
      middleware: [singleStepMiddleware(host, { allow: ["bank.a"], contract: "off" })],
      checkpointer,
    });
    const { messages } = await agent.invoke(QUESTION, CONFIG);
    const [message] = toolMessages(messages);
    const outcome = message && outcomeOf(message);
    expect(outcome).toMatchObject({ hop: { result } });
    // A result that no model may read is told to the user, in the reply that ends the run.
    const told = outcome?.code === "complete" ? 0 : (messages.at(-1)?.text.length ?? 0);
    expect(await checkpointBytes(checkpointer)).toBeLessThan(most + 1.1 * told);
  });

  it("The artifact is whole again when it is read from a checkpoint.", async () => {
    const { host } = await openBank(tools);
    const checkpointer = new MemorySaver();
    const model = new ScriptedModel([calling("a")], "done");
    const graph = builds.node({ host, model, tools: createTools(host), checkpointer });
    await graph.invoke(QUESTION, CONFIG);
    const { values } = await graph.getState(CONFIG);
    const [message] = toolMessages((values as { messages: ToolMessage[] }).messages);
    const artifact = message && artifactOf(message);
    expect(artifact?.hops[0]?.result).toEqual(result);
    expect(artifact?.hops[0]?.output).toEqual(
      schema ? { status: "valid", value: result.structuredContent } : { status: "unchecked" },
    );
  });
});

describe("artifactOf", () => {
  const read = (artifact: unknown, content: string = LONG) =>
    artifactOf(new Message({ tool_call_id: "c1", content, artifact }));
  const hop = {
    ...{ callId: "h1", runId: "r1", server: "bank", tool: "a", arguments: {} },
    origin: { by: "model" },
    result: { content: [{ type: "text", text: LONG }] },
    output: { status: "unchecked" },
  };

  it("A short text stays where it is.", () => {
    const short = { hops: [{ result: { content: [{ type: "text", text: "short" }] } }] };
    expect(toStored(short, [{ type: "text", text: "short" }])).toEqual(short);
  });

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

  it("An artifact whose content was taken away is not read.", () => {
    const stored = toStored({ hops: [hop] }, [{ type: "text", text: LONG }]);
    expect(read(stored)).toEqual({ hops: [hop] });
    expect(artifactOf(new Message({ tool_call_id: "c1", content: [], artifact: stored }))).toBe(
      undefined,
    );
  });

  it("A server that writes a note itself gets back what it wrote, beside a text that was left out.", () => {
    const note = { "toolrail/leftOut": 0, json: true };
    const result = {
      content: [{ type: "text", text: LONG }],
      structuredContent: { note, rows: ["y".repeat(500), note], text: LONG },
    };
    const hops = [{ ...hop, result, output: { status: "valid", value: result.structuredContent } }];
    expect(read(toStored({ hops }, [{ type: "text", text: LONG }]))).toEqual({ hops });
    const text = `{"toolrail/leftOut":0,"pad":"${"z".repeat(300)}"}`;
    const said = { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
    const stored = toStored({ hops: [{ ...hop, result: said }] }, [{ type: "text", text }]);
    expect(read(stored, text)).toEqual({ hops: [{ ...hop, result: said }] });
  });

  it("More long texts than are compared stay where they are.", () => {
    const texts = Array.from({ length: 100 }, (_, at) => `${at} ${"y".repeat(300)}`);
    const result = { content: texts.map((text) => ({ type: "text", text })) };
    const stored = toStored({ hops: [{ ...hop, result }] }, []);
    expect(read(stored)).toEqual({ hops: [{ ...hop, result }] });
  });

  it("A note that points to nothing makes an artifact unreadable.", () => {
    const hops = [{ ...hop, arguments: { "toolrail/leftOut": 5 } }];
    const leftOut = { values: [] };
    expect(read({ hops })).toEqual({ hops });
    expect(read({ hops, leftOut })).toBeUndefined();
    expect(read({ hops, leftOut: [{ path: ["hops"], part: 0, length: 5 }] })).toBeUndefined();
  });
});
