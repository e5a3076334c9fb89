import { HumanMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { HostOptions } from "@toolrail/core";
import { references } from "@toolrail/core/references";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { outcomeOf, singleStepMiddleware } from "../src/guard/index.ts";
import { artifactOf, createTools } from "../src/index.ts";
import { createPipeTool } from "../src/pipe/index.ts";
import { builds } from "./builds.ts";
import { openBank, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const PAGE = "A line of a page.\n".repeat(5_000);
const text = (words: string) => ({ type: "text", text: words });
const TOOLS = {
  fetch: {
    definition: { outputSchema: { type: "object" } },
    answer: () => ({ content: [text(PAGE)], structuredContent: { page: PAGE } }),
  },
  save: {
    definition: { inputSchema: { type: "object", properties: { body: { type: "string" } } } },
    answer: () => ({
      content: [text("saved")],
      _meta: { nextTool: { tool: "note", arguments: {} } },
    }),
  },
  note: { answer: () => ({ content: [text(PAGE)] }) },
};
const THREAD = { configurable: { thread_id: "alice" } };
const input = (words: string) => ({ messages: [new HumanMessage(words)] });

const open = (options: Omit<HostOptions, "servers"> = {}) =>
  openBank(TOOLS, { use: [references()], ...options });

function addressIn(value: unknown): string {
  const [address] = /\$\{k\w{5}\.[\w.]+\}/.exec(JSON.stringify(value)) ?? [];
  if (address === undefined) throw new Error("No result was kept.");
  return address;
}

/** All that a checkpointer holds, as text. */
function storedIn({ storage, writes }: MemorySaver): string {
  const decode = (_: string, value: unknown) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  return JSON.stringify([storage, writes], decode);
}

describe.each(Object.entries(builds))("long results by %s", (_, build) => {
  it("Messages, artifacts and checkpoints hold addresses and not the value.", async () => {
    const { host, server } = await open();
    const checkpointer = new MemorySaver();
    const model = new ScriptedModel([calling("fetch")], "done");
    const graph = build({ host, model, checkpointer, tools: createTools(host, { appOnly: true }) });
    const first = (await graph.invoke(input("read"), THREAD)) as never;
    const [answer] = toolMessages((first as { messages: never[] }).messages);
    const body = addressIn(answer?.text);
    const hop = answer && artifactOf(answer)?.hops[0];
    expect(hop?.kept).toBe(body.slice(2, 8));
    expect(JSON.stringify(hop).length).toBeLessThan(3_000);

    const saving = new ScriptedModel([calling("save", { body }, "c2")], "done");
    const again = build({ host, model: saving, checkpointer, tools: createTools(host) });
    await again.invoke(input("save"), THREAD);
    expect(server.calls).toEqual(["fetch", "save", "note"]);
    expect(server.seen[1]?.arguments.body).toBe(PAGE);
    expect(storedIn(checkpointer)).not.toContain(PAGE.slice(0, 3_000).replaceAll("\n", "\\\\n"));
    expect(
      Math.max(
        ...storedIn(checkpointer)
          .split(/[{[]/)
          .map(({ length }) => length),
      ),
    ).toBeLessThan(9_000);
  });

  it("A person who is asked reads what an address stands for, and their approval inserts it.", async () => {
    const { host, server } = await open({
      authorize: ({ tool }) => (tool.name === "save" ? "ask" : "allow"),
    });
    const checkpointer = new MemorySaver();
    const tools = createTools(host, { appOnly: true });
    const reading = new ScriptedModel([calling("fetch")], "done");
    const first = await build({ host, model: reading, checkpointer, tools }).invoke(
      input("read"),
      THREAD,
    );
    const body = addressIn(first);
    const saving = new ScriptedModel([calling("save", { body }, "c2")], "done");
    const graph = build({ host, model: saving, checkpointer, tools });
    const asked = JSON.stringify(await graph.invoke(input("save"), THREAD));
    expect(asked).toContain("stands for: A line of a page.");
    expect(server.calls).toEqual(["fetch"]);
    const resume = { decisions: [{ type: "approve" }] };
    await graph.invoke(new Command({ resume }), THREAD);
    expect(server.seen[1]?.arguments.body).toBe(PAGE);
  });
});

describe("long results in LangGraph", () => {
  it("references_read_result reads those of the thread, and of no other.", async () => {
    const { host } = await open();
    const tools = createTools(host);
    const invoke = (call: ToolCall, config: object) =>
      tools.find(({ name }) => name === call.name)?.invoke(call, config);
    const kept = await invoke(calling("fetch"), THREAD);
    const call = calling(
      "references_read_result",
      { from: addressIn(kept), start: 9, count: 1 },
      "c2",
    );
    expect(await invoke(call, THREAD)).toMatchObject({
      content: expect.stringContaining("1 shown from 9"),
    });
    const other = await invoke(call, { configurable: { thread_id: "bob" } });
    expect(other).toMatchObject({ status: "error" });
  });

  it("A pipe keeps its long result, and a model reads no values of steps.", async () => {
    const { host, server } = await open();
    const agent = (model: ScriptedModel, checkpointer = new MemorySaver()) =>
      createAgent({ model, tools: [...createTools(host), ...createPipeTool(host)], checkpointer });
    const spec = { steps: [{ id: "f", tool: "fetch" }], return: { $ref: "steps.f.text" } };
    const model = new ScriptedModel([calling("mcp_pipe", spec)], "done");
    const { messages } = await agent(model).invoke(input("go"), THREAD);
    const [answer] = toolMessages(messages);
    expect(answer?.text).toContain("90,000 characters of text, kept as");
    expect(answer?.text.length).toBeLessThan(8_000);
    const body = addressIn(answer?.text);
    const passing = new ScriptedModel([calling("save", { body }, "c2")], "done");
    await agent(passing).invoke(input("save"), THREAD);
    expect(server.seen.find(({ name }) => name === "save")?.arguments.body).toBe(PAGE);
  });

  it("Under the single step the artifact of a typed result holds the address.", async () => {
    const { host } = await open();
    const agent = createAgent({
      model: new ScriptedModel([calling("fetch")], "done"),
      tools: createTools(host),
      middleware: [singleStepMiddleware(host, { allow: ["bank.fetch"] })],
      checkpointer: new MemorySaver(),
    });
    const { messages } = await agent.invoke(input("read"), THREAD);
    const [answer] = toolMessages(messages);
    expect(addressIn(answer?.text)).toMatch(/text\}$/);
    expect(answer?.text).not.toContain("references_read_result");
    expect(answer && outcomeOf(answer)).toMatchObject({ code: "complete" });
    expect(JSON.stringify(answer).length).toBeLessThan(6_000);
  });
});
