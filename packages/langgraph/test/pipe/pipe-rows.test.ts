import { Command, MemorySaver } from "@langchain/langgraph";
import { createHost, type HostOptions, type McpPort } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { references } from "@toolrail/plugins/references";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { inOtherProcess } from "../losing-saver.ts";
import { openRowStore } from "../row-store.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

const PAGE = "A line of a page.\n".repeat(600);
const text = (words: string) => ({ content: [{ type: "text", text: words }] });
const PAGE_JSON = JSON.stringify(PAGE);
/** The same object for each call, as a port in the same process may answer. */
const ANSWER = text(PAGE);
const TOOLS = {
  echo,
  pay: echo,
  read: { definition: { annotations: { readOnlyHint: true } }, answer: () => ANSWER },
  make: { answer: () => ANSWER },
  length: {
    answer: ({ arguments: { v } }: { arguments: JsonObject }) => text(`${String(v).length}`),
  },
};
const KINDS = ["read", "make"] as const;
const SECRET = "the same in each process of the test";
const PAY = { id: "pay", tool: "pay", args: { v: "pay" } };
const LENGTH = { id: "z", tool: "length", args: { v: { $ref: "steps.a.text" } } };
const toSpec = (tool: string) => ({ steps: [{ id: "a", tool }, PAY, LENGTH] });
/** How often the page was written. */
const countIn = (rows: ReadonlyMap<string, string>) =>
  [...rows.values()].join().split(PAGE_JSON).length - 1;
const onThread = (thread_id: string) => ({ configurable: { thread_id } });
const CONFIG = onThread("1");

type Options = Omit<HostOptions, "servers">;

/** A host whose calls of `pay` wait for a person. */
function openHost(options: Options) {
  return openPipeHost(TOOLS, {
    use: [references()],
    secret: SECRET,
    authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
    ...options,
  });
}

/** A pipe that waits for a person when its first step has answered, and another process that may go on with it. */
async function pause(tool: string, { thread = "1", ...own }: Options & { thread?: string } = {}) {
  const table = openRowStore();
  const options = { store: table.store, ...own };
  const { host, web } = await openHost(options);
  const checkpointer = new MemorySaver();
  const spec = toSpec(tool);
  const graph = compilePipe(host, { spec, checkpointer });
  await graph.invoke({}, onThread(thread));
  const openOther = async (more: Options = {}) => {
    const other = await openHost({ ...options, ...more });
    const saver = inOtherProcess(checkpointer);
    const taken = compilePipe(other.host, { spec, checkpointer: saver });
    const resume = { decisions: [{ type: "approve" }] };
    const goOn = () => taken.invoke(new Command({ resume }) as never, onThread(thread));
    return { web: other.web, graph: taken, goOn };
  };
  return { ...table, web, graph, checkpointer, openOther };
}

/** The length of the largest value that a checkpointer holds. */
function largestIn({ storage, writes }: MemorySaver): number {
  let largest = 0;
  JSON.stringify([storage, writes], (_, value) => {
    if (!(value instanceof Uint8Array)) return value;
    largest = Math.max(largest, value.length);
    return "";
  });
  return largest;
}

describe("a pipe whose results lie in the store of its host", () => {
  it.each(KINDS)("leaves none in a checkpoint, and each once in the store (%s)", async (tool) => {
    const { store, rows } = openRowStore();
    const { host } = await openHost({ store });
    const checkpointer = new MemorySaver();
    const group = { id: "g", parallel: [1, 2].map((i) => ({ id: `p${i}`, tool, args: { i } })) };
    const steps = [{ id: "a", tool }, { id: "n", pipe: { steps: [{ id: "b", tool }] } }, group];
    const graph = compilePipe(host, { spec: { steps, return: true }, checkpointer });
    expect((await graph.invoke({}, CONFIG)).steps).toMatchObject({
      a: { text: PAGE },
      n: { steps: { b: { text: PAGE } } },
      g: { children: { p1: { text: PAGE }, p2: { text: PAGE } } },
    });
    expect(largestIn(checkpointer)).toBeLessThan(6_000);
    expect(countIn(rows)).toBe(4);
  });

  it.each(KINDS)("continues in another process, where each is read once (%s)", async (tool) => {
    const { openOther, web, reads, checkpointer } = await pause(tool);
    const other = await openOther();
    reads.length = 0;
    expect(await other.goOn()).toMatchObject({
      ok: true,
      result: String(PAGE.length),
      steps: { a: { text: PAGE, hops: [{ result: ANSWER, origin: { path: "steps.a" } }] } },
    });
    expect([web.calls, other.web.calls]).toEqual([[tool], ["pay", "length"]]);
    expect(other.web.seen.at(-1)?.arguments.v).toBe(PAGE);
    expect(reads.filter((key) => key.includes("hop:") || key.includes("call:"))).toHaveLength(1);
    expect(largestIn(checkpointer)).toBeLessThan(6_000);
  });

  it.each(KINDS)(
    "keeps them as long as a call may wait, from when it continued (%s)",
    async (tool) => {
      const limits = { pendingHopTtlMs: 604_800_000 };
      const { openOther, ttls } = await pause(tool, { limits });
      const [row = ""] = ttls.keys();
      expect(ttls.get(row)).toBe(limits.pendingHopTtlMs);
      ttls.clear();
      await (await openOther()).goOn();
      expect(ttls.get(row)).toBe(limits.pendingHopTtlMs);
    },
  );

  it.each(KINDS)(
    "gives each of several calls at once its own, though all are one object (%s)",
    async (name) => {
      const { store } = openRowStore();
      const { definition } = { definition: {}, ...TOOLS[name] };
      const web: McpPort = {
        list: async () => ({ tools: [{ name, inputSchema: { type: "object" }, ...definition }] }),
        call: async () => ANSWER,
      };
      const host = await createHost({
        servers: { web },
        store,
        use: [references()],
        secret: SECRET,
      });
      const parallel = ["a", "b", "c"].map((id) => ({ id, tool: name, args: { id } }));
      const spec = { steps: [{ id: "g", parallel }] };
      const checkpointer = new MemorySaver();
      await compilePipe(host, { spec, checkpointer }).invoke({}, CONFIG);
      const again = compilePipe(host, {
        spec,
        checkpointer: inOtherProcess(checkpointer),
      });
      expect((await again.invoke(null, CONFIG)).steps?.g).toMatchObject({
        children: {
          a: { text: PAGE, hops: [{ arguments: { id: "a" } }] },
          b: { text: PAGE, hops: [{ arguments: { id: "b" } }] },
          c: { text: PAGE, hops: [{ arguments: { id: "c" } }] },
        },
      });
    },
  );
});

describe("a pipe one of whose rows is gone", () => {
  it.each(KINDS)(
    "ends with reference-lost, however often, and makes no call (%s)",
    async (tool) => {
      const { openOther, rows } = await pause(tool);
      const { web, goOn, graph } = await openOther();
      rows.clear();
      for (let at = 0; at < 2; at++) {
        const lost = { code: "reference-lost", message: expect.stringContaining(`web.${tool}`) };
        await expect(goOn()).rejects.toMatchObject(lost);
      }
      expect(web.calls).toEqual([]);
      expect(await graph.invoke({}, CONFIG)).toHaveProperty("__interrupt__");
      expect(web.calls).toEqual([tool]);
    },
  );

  it("says so in the words of the host if that has no such store", async () => {
    const { openOther } = await pause("read");
    const { web, goOn } = await openOther({ use: [] });
    const message = expect.stringContaining("the same `store`");
    await expect(goOn()).rejects.toMatchObject({ code: "reference-lost", message });
    expect(web.calls).toEqual([]);
  });
});

describe("a pipe whose store fails", () => {
  const down = () => Promise.reject(new Error("down"));

  it("keeps a result in its channel if it cannot put it there", async () => {
    const { store, rows } = openRowStore();
    const { openOther, checkpointer } = await pause("read", { store: { ...store, set: down } });
    expect(rows.size).toBe(0);
    expect(largestIn(checkpointer)).toBeGreaterThan(PAGE.length);
    const { goOn } = await openOther({ store });
    expect(await goOn()).toMatchObject({ ok: true, result: String(PAGE.length) });
  });

  it("makes no call while it cannot read what came before, and continues later", async () => {
    const { openOther, store } = await pause("read");
    let isDown = true;
    const get: typeof store.get = (key) => (isDown ? down() : store.get(key));
    const { goOn, web } = await openOther({ store: { ...store, get } });
    await expect(goOn()).rejects.toMatchObject({ code: "callback-failed" });
    expect(web.calls).toEqual([]);
    isDown = false;
    expect(await goOn()).toMatchObject({ ok: true, result: String(PAGE.length) });
    expect(web.calls).toEqual(["pay", "length"]);
  });
});

describe("a client that writes the state of a thread", () => {
  /** What a client reads of the thread of another, and writes into its own. */
  async function forge(tool: string, toState: (own: Kept, other: Kept) => object) {
    const table = openRowStore();
    const others = await pause(tool, { thread: "victim", store: table.store });
    const own = await pause(tool, { thread: "mallory", store: table.store });
    const read = async ({ graph }: typeof own, thread: string) =>
      ((await graph.getState(onThread(thread))).values as { readonly out_a: Kept }).out_a;
    const state = toState(await read(own, "mallory"), await read(others, "victim"));
    await own.graph.updateState(onThread("mallory"), { out_a: state } as never, "a" as never);
    const { goOn, web } = await own.openOther();
    table.reads.length = 0;
    return { goOn, web, reads: table.reads };
  }

  type Kept = { readonly hops: readonly { readonly rows?: readonly string[] }[] };
  const forgeries: [string, (own: Kept, other: Kept) => object][] = [
    [
      "the address of a result of another thread",
      (own, { hops }) => ({ ...own, hops: [{ ...own.hops[0], rows: hops[0]?.rows }] }),
    ],
    ["the step of another thread", (_, other) => other],
    [
      "an address of its own choice",
      (own) => ({ ...own, hops: [{ ...own.hops[0], rows: ["query:alice"] }] }),
    ],
    ["its own address twice", (own) => ({ ...own, hops: [...own.hops, ...own.hops] })],
  ];
  it.each(
    forgeries.flatMap(([name, toState]) => KINDS.map((tool) => [name, tool, toState] as const)),
  )("reads nothing by %s (%s)", async (_, tool, toState) => {
    const { goOn, web, reads } = await forge(tool, toState);
    await expect(goOn()).rejects.toMatchObject({ code: "denied" });
    expect([web.calls, reads]).toEqual([[], []]);
  });
});

describe("a pipe keeps results in its channels", () => {
  const { store } = openRowStore();
  const whole: [string, Options, object][] = [
    ["without references", { store, use: [] }, CONFIG],
    ["where its host was given no store", { use: [references()] }, CONFIG],
    [
      "that are no longer than minLength",
      { store, use: [references({ minLength: 20_000 })] },
      CONFIG,
    ],
  ];
  it.each(whole)("%s", async (_, options, config) => {
    const { host } = await openHost(options);
    const checkpointer = new MemorySaver();
    const graph = compilePipe(host, {
      spec: { steps: [{ id: "a", tool: "read" }] },
      checkpointer,
    });
    expect(await graph.invoke({}, config)).toMatchObject({ ok: true, result: PAGE });
    expect(largestIn(checkpointer)).toBeGreaterThan(PAGE.length);
  });

  it("of which it has no thread", async () => {
    const { store: own, rows } = openRowStore();
    const { host } = await openHost({ store: own });
    const graph = compilePipe(host, { spec: { steps: [{ id: "a", tool: "read" }] } });
    expect(await graph.invoke({})).toMatchObject({ ok: true, result: PAGE });
    expect(rows.size).toBe(0);
  });
});
