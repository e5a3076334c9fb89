import { references } from "@toolrail/core/references";
import { describe, expect, it } from "vitest";
import type { AdapterCallOptions } from "../../src/adapter.ts";
import { createHost, type Hop, type HostEvent } from "../../src/index.ts";
import { setClock } from "../clock.ts";
import { asking, createTestServer, type TestTool } from "../servers.ts";

const CHAIN: Record<string, TestTool> = {
  a: { answer: () => asking("b") },
  b: { answer: () => asking("c") },
  c: {},
};

async function open(tools = CHAIN, options = {}) {
  const server = await createTestServer(tools);
  const events: HostEvent[] = [];
  const onEvent = (event: HostEvent) => events.push(event);
  const host = await createHost({
    servers: { bank: server.client },
    onEvent,
    ...options,
  });
  return { host, server, events };
}

describe("the listener onHop", () => {
  it("is told of each hop when it is there, before the next call is made", async () => {
    const { host, server } = await open();
    const seen: string[][] = [];
    const onHop = async ({ tool }: Hop) => {
      await new Promise(setImmediate);
      seen.push([tool, ...server.calls]);
    };
    await host.run({ tool: "a" }, { onHop });
    expect(seen).toEqual([
      ["a", "a"],
      ["b", "a", "b"],
      ["c", "a", "b", "c"],
    ]);
  });
});

const INVALID: TestTool = {
  definition: { outputSchema: { type: "object", required: ["n"] } },
  answer: () => ({ ...asking("c"), structuredContent: { n: undefined } }),
};

describe("an output that breaks its schema", () => {
  it.each([true, false])(
    "ends the chain, with follow %j, and its hop holds the raw result.",
    async (follow) => {
      const { host, server } = await open({ a: INVALID, c: {} });
      const chain = await host.run({ tool: "a" }, { follow });
      expect(chain).toMatchObject({ ended: "invalid-output", error: { code: "invalid-output" } });
      expect(chain.error?.message).toMatch(
        /^structuredContent of bank\.a violates its outputSchema/,
      );
      expect(chain.hops[0]?.result).toMatchObject(asking("c"));
      expect(server.calls).toEqual(["a"]);
    },
  );

  it("is not kept for models, however long it is.", async () => {
    const long = { content: [{ type: "text", text: "x".repeat(500) }] };
    const tool = { ...INVALID, answer: () => long };
    const { host } = await open({ a: tool }, { use: [references({ minLength: 100 })] });
    const hop = await host.call({ tool: "a" });
    expect(await host.keep(hop, { conversation: "s" })).toBe(hop);
  });
});

describe("host.run", () => {
  it("never rejects: a tool that does not exist ends the chain without a hop", async () => {
    const { host } = await open();
    const chain = await host.run({ tool: "nowhere" });
    expect(chain).toMatchObject({ ended: "unknown-tool", hops: [] });
    expect(chain.error?.message).toMatch(/There is no tool "nowhere". Known tools: bank.a/);
  });

  it("gives all its calls one run id, which the application may choose", async () => {
    const { host } = await open();
    const joining: AdapterCallOptions = { runId: "mine" };
    const chain = await host.run({ tool: "a" }, joining);
    expect(chain.hops.map((hop) => hop.runId)).toEqual(["mine", "mine", "mine"]);
    expect(chain.runId).toBe("mine");
  });

  it("tells onHop of each hop, and waits for it before the next call is made", async () => {
    const { host, server } = await open();
    const seen: string[][] = [];
    const onHop = async ({ tool }: Hop) => {
      await Promise.resolve();
      seen.push([tool, ...server.calls]);
    };
    await host.run({ tool: "a" }, { onHop });
    expect(seen).toEqual([
      ["a", "a"],
      ["b", "a", "b"],
      ["c", "a", "b", "c"],
    ]);
  });

  it("continues if onHop throws: its call was made", async () => {
    const { host } = await open();
    const onHop = () => {
      throw new Error("the page is gone");
    };
    expect(await host.run({ tool: "a" }, { onHop })).toMatchObject({ ended: "complete" });
  });

  it("reports once how a chain ended, with the number of hops", async () => {
    const { host, events } = await open({ ...CHAIN, b: { answer: () => asking("nowhere") } });
    await host.run({ tool: "a" });
    const ends = events.filter(({ type }) => type === "chain-ended");
    expect(ends).toEqual([
      expect.objectContaining({ ended: "unknown-tool", hops: 2, code: "unknown-tool" }),
    ]);
  });

  it("ends as failed when the time of the whole run is up", async () => {
    let ms = 0;
    setClock(() => {
      ms += 1_000;
      return ms;
    });
    const { host } = await open(CHAIN, { limits: { runTimeoutMs: 20_000 } });
    const chain = await host.run({ tool: "a" });
    expect(chain).toMatchObject({ ended: "failed", error: { code: "timeout" } });
    expect(chain.hops.length).toBeGreaterThan(0);
  });

  it("survives a listener that throws", async () => {
    const onEvent = () => {
      throw new Error("the log is full");
    };
    const { host } = await open(CHAIN, { onEvent });
    expect(await host.run({ tool: "a" })).toMatchObject({ ended: "complete" });
  });

  it("is plain JSON, errors by code and message", async () => {
    const { host } = await open({ a: { answer: () => asking("nowhere") } });
    const chain = JSON.parse(JSON.stringify(await host.run({ tool: "a" })));
    expect(chain).toMatchObject({ ended: "unknown-tool", error: { code: "unknown-tool" } });
  });
});
