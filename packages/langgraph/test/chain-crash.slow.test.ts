import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { builds } from "./builds.ts";
import { openBank, outline, QUESTION } from "./graphs.ts";
import { hopsIn, inOtherProcess, type LossPoint, losingSaver } from "./losing-saver.ts";
import { runToEnd } from "./run-to-end.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

type Build = (typeof builds)[keyof typeof builds];

const TOOLS = {
  a: { answer: () => asking("b", { v: "b" }) },
  b: { answer: () => asking("c", { v: "c" }) },
  c: {},
};

/** A model that goes by what it reads, as in a process that knows nothing of the one before. */
function createModel(): ScriptedModel {
  const model = new ScriptedModel();
  const generate = (messages: BaseMessage[]) => {
    const isAnswered = messages.some((message) => ToolMessage.isInstance(message));
    const turn = isAnswered ? "done" : [calling("a", { v: "a" })];
    return new ScriptedModel(turn)._generate(messages);
  };
  return Object.assign(model, { _generate: generate });
}

/** A process of its own over the same checkpoints: a server, a host and a graph. */
async function start(build: Build, checkpointer: BaseCheckpointSaver) {
  const { host, server } = await openBank(TOOLS, {
    secret: "the same in each process of the test",
    authorize: ({ tool }) => (tool.name === "c" ? "ask" : "allow"),
  });
  const graph = build({ host, model: createModel(), tools: createTools(host), checkpointer });
  const stated = "graph" in graph ? graph.graph : graph;
  const run = runToEnd(
    {
      invoke: (input, config) => graph.invoke(input, config),
      getState: (config) => stated.getState(config),
    },
    {
      config: { configurable: { thread_id: "1" }, durability: "sync" },
      input: QUESTION,
      isApproved: () => true,
    },
  );
  return { server, ended: run.catch(() => undefined) };
}

/** Loses the process at a write, and lets another go on. */
async function crash(build: Build, point: LossPoint) {
  const saver = losingSaver(point);
  const first = await start(build, saver);
  const isLost = (await first.ended) === undefined;
  const other = await start(build, inOtherProcess(saver));
  const { messages = [] } = ((await other.ended) ?? {}) as { messages?: BaseMessage[] };
  const calls = [...first.server.seen, ...other.server.seen].map(({ arguments: { v } }) => v);
  return { isLost, said: outline(messages).map(withoutIds), calls, saver };
}

function withoutIds(line: string): string {
  return line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id");
}

// A chain inside one call cannot wait in its middle.
it.each(Object.entries(builds).filter(([name]) => name !== "inside"))(
  "A chain whose process is lost at any write continues in another, and makes no finished call again (%s).",
  async (_, build) => {
    const whole = await crash(build, { count: Number.POSITIVE_INFINITY, isWritten: true });
    expect(whole.calls).toEqual(["a", "b", "c"]);
    expect(whole.said.at(-1)).toBe("ai: done");
    const all = whole.saver.written.length;
    for (const isWritten of [false, true]) {
      for (let count = 1; count <= all; count++) {
        const where = `lost ${isWritten ? "after" : "before"} write ${count} of ${all}`;
        const { isLost, said, calls, saver } = await crash(build, { count, isWritten });
        expect(isLost, where).toBe(true);
        expect(said, where).toEqual(whole.said);
        expect(new Set(calls), where).toEqual(new Set(["a", "b", "c"]));
        for (const { v } of hopsIn(saver.written).values()) {
          expect(
            calls.filter((one) => one === v),
            where,
          ).toEqual([v]);
        }
      }
    }
  },
);
