import { setImmediate } from "node:timers/promises";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { HostEvent } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { hopsIn, losingSaver } from "../losing-saver.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const APPROVE = { decisions: [{ type: "approve" }] };
const CONFIG = { configurable: { thread_id: "1" } };
const PAY = { id: "pay", tool: "pay", args: { v: "pay" } };

function openPayingHost() {
  return openPipeHost(
    { echo, pay: echo },
    { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
}

/** The events of the pipe itself: what came of it, and how many calls it knew of. */
function pipeEvents(events: readonly HostEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "pipe" ? [`${event.stage} after ${event.calls}`] : [],
  );
}

describe("a run on a thread that was used before", () => {
  it("It sees nothing of the earlier run: no results, and no vars.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const value = (name: string) => `\${vars.q} ${name}`;
    const inner = { steps: [say("c", value("c")), say("d", value("d"))] };
    const group = { id: "h", parallel: [say("b", value("b")), { id: "n", pipe: inner }] };
    const spec = {
      vars: { q: "own" },
      steps: [{ id: "g", parallel: [say("a", value("a")), group] }, say("z", value("z"))],
    };
    const graph = compilePipe(host, { spec, checkpointer: new MemorySaver() });
    for (const [input, q] of [
      [{ vars: { q: "first" } }, "first"],
      [{ vars: { q: "second" } }, "second"],
      [{}, "own"],
    ] as const) {
      const before = web.calls.length;
      expect(await graph.invoke(input, CONFIG)).toMatchObject({
        ok: true,
        result: { v: `${q} z` },
      });
      const made = said(web).slice(before);
      expect(made.toSorted()).toEqual(["a", "b", "c", "d", "z"].map((name) => `${q} ${name}`));
    }
  });

  it("It never makes the call that the earlier one waits with.", async () => {
    const { host, web } = await openPayingHost();
    const steps = [{ ...PAY, args: { v: { $ref: "vars.amount" } } }];
    const pipe = { vars: { amount: 0 }, steps };
    const graph = compilePipe(host, { spec: pipe, checkpointer: new MemorySaver() });
    await graph.invoke({ vars: { amount: 1_000 } }, CONFIG);
    const paused: object = await graph.invoke({ vars: { amount: 1 } }, CONFIG);
    expect(paused).toMatchObject({
      __interrupt__: [{ value: { actionRequests: [{ args: { v: 1 } }] } }],
    });
    await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
    expect(said(web)).toEqual([1]);
  });
});

describe("a pipe that continues in another process", () => {
  it("It counts each step and each call once.", async () => {
    const { host, events } = await openPayingHost();
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, at) => say(`${name}${at}`));
    const inner = { steps: [say("i"), { id: "k", parallel: many("k", 4) }] };
    const steps = [
      { id: "g", parallel: [...many("g", 14), { id: "n", pipe: inner }] },
      { id: "m", pipe: { steps: [...many("m", 5), PAY, ...many("o", 5)] } },
      ...many("z", 14),
    ];
    const spec = { steps };
    const saver = new MemorySaver();
    await compilePipe(host, { spec, checkpointer: saver }).invoke({}, CONFIG);
    const result = await compilePipe(host, { spec, checkpointer: saver }).invoke(
      new Command({ resume: APPROVE }),
      CONFIG,
    );
    expect(result).toMatchObject({ ok: true, error: "" });
    expect(pipeEvents(events)).toEqual(["started after 0", "ended after 44"]);
  });

  it.each([
    ["the first step", [PAY]],
    ["a nested pipe", [{ id: "n", pipe: { steps: [say("a"), PAY] } }]],
    ["a group", [{ id: "g", parallel: [say("a"), PAY] }]],
  ])("It keeps its id and reports each end once, also from %s on.", async (_where, steps) => {
    const { host, events } = await openPayingHost();
    const saver = new MemorySaver();
    await compilePipe(host, { spec: { steps }, checkpointer: saver }).invoke({}, CONFIG);
    await compilePipe(host, { spec: { steps }, checkpointer: saver }).invoke(
      new Command({ resume: APPROVE }),
      CONFIG,
    );
    const ids = events.flatMap((event) => ("runId" in event ? [event.runId] : []));
    expect(new Set(ids).size).toBe(1);
    const ofPay = events.flatMap((event) =>
      event.type === "step" && event.path.endsWith("pay") ? [event.stage] : [],
    );
    expect(ofPay.filter((stage) => stage === "ended")).toHaveLength(1);
    expect(pipeEvents(events)[0]).toBe("started after 0");
    expect(pipeEvents(events)).toHaveLength(2);
  });
});

describe("the checkpoints of a pipe", () => {
  /** Which results were written when the second step was called. The database is slow. */
  async function writtenBefore(config: object, bound?: object) {
    const saver = losingSaver({ count: Number.POSITIVE_INFINITY, isWritten: true });
    for (const name of ["put", "putWrites"] as const) {
      const write = saver[name].bind(saver) as (...given: unknown[]) => Promise<never>;
      saver[name] = async (...given: unknown[]) => {
        for (let turn = 0; turn < 50; turn++) await setImmediate();
        return write(...given);
      };
    }
    let written: unknown[] = [];
    const answer = () => {
      written = [...hopsIn(saver.written).values()].map(({ v }) => v);
    };
    const { host } = await openPipeHost({ echo, second: { answer } });
    const spec = { steps: [say("a"), { id: "b", tool: "second" }] };
    const graph = compilePipe(host, { spec, checkpointer: saver });
    await (bound ? graph.withConfig(bound) : graph).invoke({}, { ...CONFIG, ...config });
    return written;
  }

  it("They are written before the next step begins.", async () => {
    expect(await writtenBefore({})).toEqual(["a"]);
    expect(await writtenBefore({}, { tags: ["a"] })).toEqual(["a"]);
  });

  it.each([
    [{ durability: "async" }, undefined],
    [{}, { durability: "async" }],
  ])("They are written as the run says with %o and bound to %o.", async (config, bound) => {
    expect(await writtenBefore(config, bound)).toEqual([]);
  });
});
