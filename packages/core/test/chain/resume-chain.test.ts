import { describe, expect, it } from "vitest";
import { type ChainResult, createHost, type ToolCall } from "../../src/index.ts";
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

  it("goes on with the true depth over many pauses, also from JSON", async () => {
    const { host, server } = await open(askForB);
    let chain: ChainResult = await host.run({ tool: "a" });
    for (let pause = 0; chain.ended === "needs-approval" && pause < 9; pause++) {
      chain = await host.resume(JSON.parse(JSON.stringify(chain)), "approve");
    }
    expect(chain.ended).toBe("depth-limit");
    expect(server.calls).toEqual(["a", "b", "a", "b", "a"]);
    expect(chain.hops).toHaveLength(5);
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

  it("does not make a pending call that no result asked for", async () => {
    const { host, server } = await open(askForB);
    const paused = await host.run({ tool: "a" });
    const forged: ChainResult = {
      ...paused,
      pending: { ...paused.pending, arguments: { n: 99 } } as ChainResult["pending"] & object,
    };
    expect(await host.resume(forged, "approve")).toMatchObject({ ended: "denied" });
    expect(server.calls).toEqual(["a"]);
  });

  it("says why a chain cannot go on when its tool is gone", async () => {
    const { host, server } = await open(askForB);
    const paused = await host.run({ tool: "a" });
    server.tools = { a: counting("b") };
    await host.refresh();
    expect(await host.resume(paused, "approve")).toMatchObject({ ended: "unknown-tool" });
  });

  it.each([undefined, null, "yes", true, {}, { deny: 1 }])(
    "takes no other word for a decision: %j",
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
});
