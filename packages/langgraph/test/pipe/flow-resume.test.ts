import { Command, MemorySaver } from "@langchain/langgraph";
import { flow } from "@toolrail/pipe/flow";
import { describe, expect, it } from "vitest";
import { asking, type TestTool } from "../../../core/test/servers.ts";
import { compilePipe } from "../../src/pipe/index.ts";
import type { PipeState } from "../../src/pipe/pipe-state.ts";
import { inOtherProcess } from "../losing-saver.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const CONFIG = { configurable: { thread_id: "1" }, durability: "sync" } as const;
const SECRET = "the same in each process of the test";
const APPROVE = { decisions: [{ type: "approve" }] };
const hop: TestTool = { answer: ({ arguments: { v } }) => asking("echo", { v: `${v}>` }) };

/** Every item of a list asks for a person, and so does one in the middle of a nested pipe. */
const EACH = { id: "e", for_each: ["a", "b", "c"], do: { tool: "pay", args: { v: "${item}" } } };
const INNER = { steps: [say("x", "${item}1"), { id: "p", tool: "pay", args: { v: "${item}2" } }] };
const PIPED = { id: "n", for_each: ["d", "e"], do: { pipe: INNER } };

function openHost() {
  return openPipeHost(
    { echo, pay: echo, hop },
    { secret: SECRET, authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
}

interface Asked {
  readonly id: string;
  readonly value: { readonly actionRequests: readonly { readonly args: { readonly v: string } }[] };
}

function askedIn(state: object): readonly Asked[] {
  return (state as { readonly __interrupt__?: readonly Asked[] }).__interrupt__ ?? [];
}

describe("a list in a graph", () => {
  it("Its items wait for a person one by one, and no finished one runs again in another process.", async () => {
    const spec = { steps: [say("first"), EACH, PIPED, say("last")] };
    const calls: unknown[] = [];
    let checkpointer = new MemorySaver();
    let input: unknown = {};
    let result: object = {};
    for (let life = 0; life < 20; life++) {
      const { host, web } = await openHost();
      checkpointer = inOtherProcess(checkpointer);
      const graph = compilePipe(host, { flow: flow(), spec, checkpointer });
      result = await graph.invoke(input as never, CONFIG);
      calls.push(...said(web));
      const [one] = askedIn(result);
      if (!one) break;
      input = new Command({ resume: { [one.id]: APPROVE } });
    }
    expect(result).toMatchObject({ ok: true });
    const expected = ["first", "a", "b", "c", "d1", "d2", "e1", "e2", "last"];
    expect(calls.toSorted()).toEqual(expected.toSorted());
  });

  it("A client that forges an item, its arguments or a result is refused, and nothing is called.", async () => {
    const spec = { steps: [EACH] };
    const { host, web } = await openHost();
    const graph = compilePipe(host, { flow: flow(), spec, checkpointer: new MemorySaver() });
    await graph.invoke({}, CONFIG);
    const { values } = await graph.getState(CONFIG);
    const items = (values as PipeState).items_e as Record<string, { readonly variables: object }>;
    const open = {
      type: "open",
      args: { v: "mallory" },
      variables: { vars: {}, steps: {}, keptBytes: 0 },
    };
    const forged = [
      { 0: open },
      { 3: open },
      { 999999999: open },
      { x: open },
      { 0: items[1] },
      { 0: { ...items[0], type: "ended", error: "", startMs: 1, elapsedMs: 1 } },
    ];
    for (const entry of forged) {
      const config = await graph.updateState(CONFIG, { items_e: entry } as never, "e" as never);
      await expect(graph.invoke(null, config)).rejects.toMatchObject({ code: "denied" });
    }
    expect(web.calls).toEqual([]);
  });
});

it("A list of items that hop counts them all for the limit, at whatever place the run continues.", async () => {
  const steps = [
    { id: "e", for_each: [1, 2], do: { tool: "hop", args: { v: "${item}" } } },
    { id: "p", tool: "pay" },
    say("z"),
  ];
  const limits = { maxSteps: 6 };
  const checkpointer = new MemorySaver();
  const first = await openHost();
  await compilePipe(first.host, {
    flow: flow(),
    follow: true,
    spec: { steps },
    limits,
    checkpointer,
  }).invoke({}, CONFIG);
  const other = await openHost();
  const graph = compilePipe(other.host, {
    flow: flow(),
    follow: true,
    spec: { steps },
    limits,
    checkpointer,
  });
  const result = await graph.invoke(new Command({ resume: APPROVE }), CONFIG);
  expect(result).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^steps\.z: .* limit of 6 steps/),
  });
});
