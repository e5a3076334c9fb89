import { describe, expect, it } from "vitest";
import { decideHop } from "../../src/adapter.ts";
import { runPipe } from "../../src/pipe/index.ts";
import { NEVER, openWorkers, until } from "../call/workers.ts";

const START = { tool: "bank.a", arguments: {} };
const AT = { key: "thread-1" };

/** Tools that chain a → b → a, of which `b` may never answer. */
function openChain({ tools = { a: {}, b: {} }, hangsAt = "" } = {}) {
  return openWorkers(({ name, count }) => {
    if (name === hangsAt) return NEVER();
    const next = count === 1 ? { tool: "b" } : { tool: "a", arguments: { again: true } };
    const content = [{ type: "text", text: `${name} ${count}` }];
    return count < 3 ? { content, _meta: { nextTool: next } } : { content };
  }, tools);
}

describe("a chain that has a key", () => {
  it("makes each of its calls once in two workers", async () => {
    const { work, calls } = openChain();
    const [a, b] = [await work(), await work()];
    const chains = [await a.host.run(START, AT), await b.host.run(START, AT)];
    expect(calls.map(({ name }) => name)).toEqual(["a", "b", "a"]);
    const [first, second] = chains.map(({ hops }) => hops.map(({ callId }) => callId));
    expect(second).toEqual(first);
    expect(chains.map(({ ended }) => ended)).toEqual(["complete", "complete"]);
  });

  it("makes none of its calls again after its worker was lost between two of them", async () => {
    const { work, calls } = openChain();
    const worker = new AbortController();
    const lost = { ...AT, signal: worker.signal, onHop: () => worker.abort() };
    expect(await (await work()).host.run(START, lost)).toMatchObject({ ended: "aborted" });
    expect(calls).toHaveLength(1);
    await (await work()).host.run(START, AT);
    expect(calls.map(({ name }) => name)).toEqual(["a", "b", "a"]);
  });

  it("ends at a hop whose outcome is unknown", async () => {
    const { work, calls, clock } = openChain({ hangsAt: "b" });
    (await work()).host.run(START, AT).catch(() => {});
    await until(() => calls.length === 2);
    clock.aheadMs += 400_000;
    const paused = await (await work()).host.run(START, AT);
    expect(paused).toMatchObject({
      ended: "failed",
      error: { code: "outcome-unknown" },
      pending: { tool: "b" },
    });
    expect(paused.hops).toHaveLength(1);
    expect(calls).toHaveLength(2);
  });
});

describe("decideHop", () => {
  it("gives the hop one key in all workers, also after a call that each of them made", async () => {
    const { work, calls } = openChain();
    const places = await Promise.all(
      [await work(), await work()].map(async ({ host }) => {
        const hop = await host.call(START, AT);
        const given = { ...hop, result: { content: [], _meta: { nextTool: { tool: "b" } } } };
        const next = await decideHop(host, given, { root: "c1", ...AT });
        return next.type === "call" && next.pending.key;
      }),
    );
    expect(calls).toHaveLength(1);
    expect(places).toEqual(["thread-1#", "thread-1#"]);
  });
});

describe("a pipe that has a key", () => {
  const spec = {
    steps: [
      { id: "x", tool: "bank.b" },
      { id: "g", parallel: ["y", "z"].map((id) => ({ id, tool: "bank.b" })) },
    ],
  };
  const answer = ({ count }: { count: number }) => ({
    content: [{ type: "text", text: `${count}` }],
  });

  it("makes the call of each step once, however many workers run it", async () => {
    const { work, calls } = openWorkers(answer, { b: {} });
    const hosts = [(await work()).host, (await work()).host];
    const results = [];
    for (const host of hosts) results.push(await runPipe(host, { spec, pipeId: "run-1" }));
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(calls).toHaveLength(3);
  });
});
