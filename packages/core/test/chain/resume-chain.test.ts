import { describe, expect, it } from "vitest";
import { type ChainResult, createHost, type Hop, type ToolCall } from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const counting = (tool: string) => ({
  answer: ({ arguments: { n } }: { arguments: { n?: unknown } }) =>
    asking(tool, { n: Number(n ?? 0) + 1 }),
});

async function open(authorize: (call: ToolCall) => "allow" | "ask" | { deny: string }) {
  const server = await createTestServer({ a: counting("b"), b: counting("a"), c: {} });
  const host = await createHost({ servers: { bank: server.client }, authorize });
  return { server, host };
}

const DEEP = { type: "object", properties: { n: { maximum: 9 } } };

type Kept = ChainResult & { readonly pending: NonNullable<ChainResult["pending"]> };

function withPending(chain: Kept, change: object): unknown {
  return { ...chain, pending: { ...chain.pending, ...change } };
}

function hopWith({ hops: [hop] }: Kept, change: object): unknown {
  return { ...hop, result: { ...hop?.result, ...change } };
}

function deepValue(): unknown {
  return JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
}

const askForB = (call: ToolCall) => (call.tool.name === "b" ? "ask" : "allow");

describe("host.resume", () => {
  it("makes the pending call, and no earlier one again", async () => {
    const { host, server } = await open(askForB);
    const paused = await host.run({ tool: "a" });
    expect(paused).toMatchObject({ ended: "needs-approval", pending: { tool: "b" } });
    const chain = await host.resume(paused, "approve");
    expect(server.calls).toEqual(["a", "b", "a"]);
    expect(chain).toMatchObject({ ended: "needs-approval", runId: paused.runId });
  });

  it("tells onHop of the calls that it makes, and of no earlier ones", async () => {
    const { host } = await open(askForB);
    const told: string[] = [];
    const onHop = ({ tool }: Hop) => void told.push(tool);
    await host.resume(await host.run({ tool: "a" }), "approve", { onHop });
    expect(told).toEqual(["b", "a"]);
  });

  it("continues with the true depth over many pauses, also from JSON", async () => {
    const { host, server } = await open(askForB);
    let chain: ChainResult = await host.run({ tool: "a" });
    for (let pause = 0; chain.ended === "needs-approval" && pause < 9; pause++) {
      chain = await host.resume(JSON.parse(JSON.stringify(chain)), "approve");
    }
    expect(chain.ended).toBe("depth-limit");
    expect(server.calls).toEqual(["a", "b", "a", "b", "a"]);
    expect(chain.hops).toHaveLength(5);
  });

  it("ends as a cycle at a call that was made before the pause", async () => {
    const { client, calls } = await createTestServer({
      a: { answer: () => asking("b") },
      b: { answer: () => asking("a") },
    });
    const host = await createHost({ servers: { bank: client }, authorize: askForB });
    const paused = await host.run({ tool: "a" });
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "cycle" });
    expect(calls).toEqual(["a", "b"]);
  });

  it("resumes a first call that waited", async () => {
    const { host, server } = await open(() => "ask");
    const paused = await host.run({ tool: "c" });
    expect(paused.hops).toEqual([]);
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "complete" });
    expect(server.calls).toEqual(["c"]);
  });

  it("ends as denied when a person says no, with the reason", async () => {
    const { host, server } = await open(askForB);
    const chain = await host.resume(await host.run({ tool: "a" }), { deny: "too much" });
    expect(chain).toMatchObject({ ended: "denied", error: { code: "denied" } });
    expect(chain.error?.message).toContain("too much");
    expect(server.calls).toEqual(["a"]);
  });

  it("lets authorize deny what a person approved", async () => {
    let answer: "ask" | { deny: string } = "ask";
    const { host, server } = await open(() => answer);
    const paused = await host.run({ tool: "c" });
    answer = { deny: "closed by now" };
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "denied" });
    expect(server.calls).toEqual([]);
  });

  it("does not make a pending call that no result asked for, though a person was asked about that call", async () => {
    const { host, server } = await open(askForB);
    const kept = (await host.run({ tool: "a" })) as Kept;
    const { pending: other } = await host.run({ tool: "b", arguments: { n: 99 } });
    const forged = withPending(kept, { arguments: { n: 99 }, binding: other?.binding });
    const chain = await host.resume(forged as ChainResult, "approve");
    expect(chain).toMatchObject({ ended: "denied", error: { code: "denied" } });
    expect(server.calls).toEqual(["a"]);
  });

  it("says why a chain cannot continue when its tool is gone", async () => {
    const { host, server } = await open(askForB);
    const paused = await host.run({ tool: "a" });
    server.tools = { a: counting("b") };
    await host.refresh();
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "unknown-tool" });
  });

  it.each([undefined, null, "yes", true, {}, { deny: 1 }])(
    "accepts nothing else as a decision: %j",
    async (decision) => {
      const { host, server } = await open(askForB);
      const paused = await host.run({ tool: "a" });
      const outcome = host.resume(paused, decision as "approve");
      await expect(outcome).rejects.toMatchObject({ code: "invalid-options" });
      expect(server.calls).toEqual(["a"]);
    },
  );

  it.each([
    ["is complete", "c", ["c"]],
    ["was denied", "a", ["a"]],
  ])("is for chains that wait, and for none that %s", async (_, tool, calls) => {
    const deny = (call: ToolCall) => (call.tool.name === "b" ? { deny: "no" } : "allow");
    const { host, server } = await open(deny);
    const chain = await host.run({ tool });
    await expect(host.resume(chain, "approve")).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual(calls);
  });

  it.each([
    ["the pending tool", "b", { b: { definition: { description: "Deletes all." } } }],
    ["the pending tool's schema", "b", { b: { definition: { inputSchema: DEEP } } }],
  ])("makes no call if %s was redefined after a person was asked", async (_, name, changed) => {
    const { host, server } = await open(askForB);
    const paused = await host.run({ tool: "a" });
    expect(paused.pending?.tool).toBe(name);
    server.tools = { ...server.tools, ...changed };
    const chain = await host.resume(paused, "approve");
    expect(chain).toMatchObject({ ended: "denied", error: { code: "tool-changed" } });
    expect(server.calls).toEqual(["a"]);
  });

  it("makes no first call if its tool was redefined after a person was asked, even in another process", async () => {
    const { host, server } = await open(() => "ask");
    const paused = JSON.parse(JSON.stringify(await host.run({ tool: "c" })));
    server.tools = { c: { definition: { description: "Deletes all." } } };
    const authorize = () => "ask" as const;
    const other = await createHost({ servers: { bank: server.client }, authorize });
    for (const one of [host, other]) {
      expect(await one.resume(paused, "approve")).toMatchObject({
        error: { code: "tool-changed" },
      });
    }
    expect(server.calls).toEqual([]);
  });

  it("makes no first call with arguments that nobody was asked about", async () => {
    const { host, server } = await open(() => "ask");
    const { pending, ...paused } = await host.run({ tool: "c", arguments: { n: 1 } });
    const forged = { ...paused, pending: { ...pending, arguments: { n: 99 } } } as ChainResult;
    const chain = await host.resume(forged, "approve");
    expect(chain).toMatchObject({ error: { code: "tool-changed" } });
    expect(server.calls).toEqual([]);
  });

  it("makes no pending hop that follows from nothing", async () => {
    const { host, server } = await open(askForB);
    const chain = { ...(await host.run({ tool: "a" })), hops: [] };
    const approved = host.resume(chain, "approve");
    await expect(approved).rejects.toMatchObject({ code: "invalid-options" });
    expect(await host.resume(chain, { deny: "no" })).toMatchObject({ ended: "denied" });
    expect(server.calls).toEqual(["a"]);
  });

  it.each([
    ["no chain", () => undefined],
    ["a list", () => []],
    ["a chain without hops", ({ hops: _, ...chain }) => chain],
    ["hops that are text", (chain) => ({ ...chain, hops: "a" })],
    ["a hop of null", (chain) => ({ ...chain, hops: [null] })],
    [
      "a hop without a result",
      (chain) => ({ ...chain, hops: [{ ...chain.hops[0], result: null }] }),
    ],
    [
      "a hop of broken content",
      (chain) => ({ ...chain, hops: [hopWith(chain, { content: [1] })] }),
    ],
    ["a hop of broken _meta", (chain) => ({ ...chain, hops: [hopWith(chain, { _meta: 1 })] })],
    ["no pending call", ({ pending: _, ...chain }) => chain],
    ["a pending call of null", (chain) => ({ ...chain, pending: null })],
    ["a pending call without arguments", (chain) => withPending(chain, { arguments: undefined })],
    ["a pending call without an origin", (chain) => withPending(chain, { origin: undefined })],
    ["a pending call without a binding", (chain) => withPending(chain, { binding: undefined })],
    ["arguments without end", (chain) => withPending(chain, { arguments: deepValue() })],
    ["another end", (chain) => ({ ...chain, ended: { toString: null } })],
  ] as readonly [string, (chain: Kept) => unknown][])(
    "refuses %s if a chain was kept outside, and says so",
    async (_, alter) => {
      const { host, server } = await open(askForB);
      const kept = JSON.parse(JSON.stringify(await host.run({ tool: "a" })));
      for (const decision of ["approve", { deny: "no" }] as const) {
        await expect(host.resume(alter(kept) as ChainResult, decision)).rejects.toMatchObject({
          code: "invalid-options",
          message: expect.stringContaining("resumed"),
        });
      }
      expect(server.calls).toEqual(["a"]);
    },
  );
});
