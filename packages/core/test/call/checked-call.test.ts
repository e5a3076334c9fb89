import { describe, expect, it } from "vitest";
import { type CheckedCall, createHost, type HostOptions } from "../../src/index.ts";
import type { Authorization } from "../../src/types/tool-call.ts";
import { asking, createTestServer, type TestTool } from "../servers.ts";

async function open(tools: Record<string, TestTool>, answer: Authorization = "allow") {
  const server = await createTestServer(tools);
  const asked: string[] = [];
  const authorize: HostOptions["authorize"] = ({ tool }) => {
    asked.push(tool.name);
    return answer;
  };
  const host = await createHost({ servers: { bank: server.client }, authorize });
  return { host, server, asked };
}

const A = { tool: "a", arguments: { n: 1 } };

describe("a checked call", () => {
  it("is made without asking authorize again", async () => {
    const { host, server, asked } = await open({ a: {} });
    const checked = await host.check(A);
    const hop = await host.call(checked);
    expect(checked).toMatchObject({ type: "allow", call: { callId: hop.callId } });
    expect([asked, server.calls]).toEqual([["a"], ["a"]]);
  });

  it("begins a chain, and each further call is authorized once", async () => {
    const { host, asked } = await open({ a: { answer: () => asking("b") }, b: {} });
    const chain = await host.run(await host.check(A));
    expect([chain.ended, asked]).toEqual(["complete", ["a", "b"]]);
  });

  it("keeps its conversation, which the calls that follow belong to as well", async () => {
    const server = await createTestServer({ a: { answer: () => asking("b") }, b: {} });
    const seen: unknown[] = [];
    const authorize: HostOptions["authorize"] = ({ tool, conversation }) => {
      seen.push([tool.name, conversation]);
      return "allow";
    };
    const host = await createHost({ servers: { bank: server.client }, authorize });
    await host.run(await host.check(A, { conversation: "chat-1" }));
    expect(seen).toEqual([
      ["a", "chat-1"],
      ["b", "chat-1"],
    ]);
  });

  it.each([
    ["gate", () => "ask"],
    ["approved", "a binding"],
    ["changes", { n: 2 }],
    ["changedFrom", { n: 2 }],
    ["conversation", "chat-2"],
  ])(
    "is refused with a `%s` that its check did not get, in place of being made without it",
    async (name, value) => {
      const { host, server } = await open({ a: {} });
      const late = { [name]: value };
      const error = { code: "invalid-options", message: expect.stringContaining("host.check") };
      for (const make of [
        async () => host.call(await host.check(A), late),
        async () => host.run(await host.check(A), late),
      ]) {
        await expect(make()).rejects.toMatchObject(error);
      }
      expect(server.calls).toEqual([]);
      const checked = await host.check(A, { conversation: "chat-1" });
      await host.call(checked, { conversation: "chat-1", gate: undefined });
      expect(server.calls).toEqual(["a"]);
    },
  );

  it("is made once", async () => {
    const { host, server } = await open({ a: {} });
    const checked = await host.check(A);
    await host.call(checked);
    await expect(host.call(checked)).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual(["a"]);
  });

  it("is not made by another host of the same server", async () => {
    const { host, server } = await open({ a: {} });
    const other = await createHost({ servers: { bank: server.client } });
    const checked = await host.check(A);
    await host.call(checked);
    await expect(other.call(checked)).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual(["a"]);
  });

  it.each([
    ["a copy of it", (checked: CheckedCall) => ({ ...checked })],
    ["a copy as JSON", (checked: CheckedCall) => JSON.parse(JSON.stringify(checked))],
    ["one that was made up", () => ({ type: "allow" })],
  ])("cannot be forged: %s makes no call", async (_, forge) => {
    const { host, server } = await open({ a: {} });
    const outcome = host.call(forge(await host.check(A)) as CheckedCall);
    await expect(outcome).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual([]);
  });

  it("does not hold when the definition of the tool has changed", async () => {
    const { host, server } = await open({ a: {} });
    const checked = await host.check(A);
    server.tools = { a: { definition: { description: "now deletes everything" } } };
    await host.refresh();
    await expect(host.call(checked)).rejects.toMatchObject({ code: "tool-changed" });
    expect(server.calls).toEqual([]);
  });

  it("holds when the list was read again and the tool is the same", async () => {
    const { host, server } = await open({ a: {}, b: {} });
    const checked = await host.check(A);
    server.tools = { a: {} };
    await host.refresh();
    await host.call(checked);
    expect(server.calls).toEqual(["a"]);
  });

  it("makes no call while it asks for a person", async () => {
    const { host, server } = await open({ a: {} }, "ask");
    const checked = await host.check(A);
    expect(checked.type).toBe("ask");
    await expect(host.call(checked)).rejects.toMatchObject({ code: "needs-approval" });
    expect(server.calls).toEqual([]);
  });

  it("rejects the call with its error when it refuses", async () => {
    const { host, server } = await open({ a: {} }, { deny: "not today" });
    const checked = await host.check(A);
    if (checked.type !== "refuse") throw new Error("authorize was not asked");
    await expect(host.call(checked)).rejects.toBe(checked.error);
    expect(server.calls).toEqual([]);
  });

  it("does not outlive its signal", async () => {
    const { host, server } = await open({ a: {} });
    const aborter = new AbortController();
    const checked = await host.check(A, { signal: aborter.signal });
    aborter.abort();
    const outcome = host.call(checked, { signal: aborter.signal });
    await expect(outcome).rejects.toMatchObject({ code: "aborted" });
    expect(server.calls).toEqual([]);
  });
});

describe("a gate of the caller", () => {
  it("is asked for valid arguments, before authorize", async () => {
    const { host, asked } = await open({ a: {} });
    const order: string[] = [];
    await host.call(A, {
      gate: ({ tool }) => {
        order.push(`gate ${tool.name}, authorized: ${asked.length}`);
        return "allow";
      },
    });
    expect(order).toEqual(["gate a, authorized: 0"]);
  });

  it("leaves the call to a person though authorize allows it", async () => {
    const { host } = await open({ a: {} });
    expect(await host.check(A, { gate: () => "ask" })).toMatchObject({ type: "ask" });
  });
});
