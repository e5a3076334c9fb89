import { expect, it, onTestFinished } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";
import { setClock } from "../clock.ts";

/** A host over a server whose lists say how long they hold, page by page. */
async function open(...pages: readonly unknown[]) {
  let nowMs = 0;
  let lists = 0;
  let isDown = false;
  const port: McpPort = {
    async list({ cursor }) {
      if (isDown) throw new Error("no answer");
      const at = Number(cursor ?? 0);
      if (at === 0) lists++;
      const tools = [{ name: `tool${lists}_${at}`, inputSchema: { type: "object" } }];
      return { tools, ttlMs: pages[at], ...(at + 1 < pages.length && { nextCursor: `${at + 1}` }) };
    },
    call: async () => ({ content: [] }),
  };
  setClock(() => nowMs);
  const host = await createHost({ servers: { bank: port } });
  onTestFinished(() => host.close());
  const use = async () => {
    void host.tools;
    await new Promise(setImmediate);
    return lists;
  };
  return {
    host,
    use,
    at: (ms: number) => {
      nowMs = ms;
    },
    fail: (down: boolean) => {
      isDown = down;
    },
  };
}

it("a list is read again when it is used after the time that its server gave it", async () => {
  const { use, at, host } = await open(5_000);
  at(5_000);
  expect(await use()).toBe(1);
  at(5_001);
  expect(await use()).toBe(2);
  expect(host.tools.map(({ name }) => name)).toEqual(["tool2_0"]);
  expect(await use()).toBe(2);
  at(10_002);
  expect(await use()).toBe(3);
});

it("the shortest time of its pages counts", async () => {
  const { use, at } = await open(60_000, 2_000);
  at(2_001);
  expect(await use()).toBe(2);
});

it.each([
  ["no time", undefined],
  ["the time 0, as servers do that give none", 0],
  ["a negative time", -1],
  ["a time that is no number", "5000"],
  ["no valid time", Number.NaN],
])(
  "a list with %s holds until it is refreshed or its server tells of a change",
  async (_, ttlMs) => {
    const { use, at } = await open(ttlMs);
    at(86_400_000);
    expect(await use()).toBe(1);
  },
);

it("a very short time is taken for a second, so that a host in use does not only read lists", async () => {
  const { use, at } = await open(1);
  at(999);
  expect(await use()).toBe(1);
  at(1_001);
  expect(await use()).toBe(2);
});

it("a server that does not answer then keeps its list, and is asked again", async () => {
  const { use, at, fail, host } = await open(5_000);
  fail(true);
  at(6_000);
  await use();
  expect(host.tools).toHaveLength(1);
  expect(host.problems).toEqual([expect.objectContaining({ code: "list-failed" })]);
  fail(false);
  at(12_000);
  expect(await use()).toBe(2);
  expect(host.problems).toEqual([]);
});

it("a closed host reads nothing", async () => {
  const { use, at, host } = await open(5_000);
  await host.close();
  at(6_000);
  expect(await use()).toBe(1);
});
