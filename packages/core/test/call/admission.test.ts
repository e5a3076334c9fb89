import { describe, expect, it } from "vitest";
import { type Authorization, createHost, type HostOptions } from "../../src/index.ts";
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

describe("an admission", () => {
  it("is spent by the call that it was given for, and authorize is not asked again", async () => {
    const { host, server, asked } = await open({ a: {} });
    const admission = await host.check(A);
    const hop = await host.call(A, { admission });
    expect(admission).toMatchObject({ type: "allow", call: { callId: hop.callId } });
    expect([asked, server.calls]).toEqual([["a"], ["a"]]);
  });

  it("covers the first call of a chain, and each further one is authorized once", async () => {
    const { host, asked } = await open({ a: { answer: () => asking("b") }, b: {} });
    const chain = await host.run(A, { admission: await host.check(A) });
    expect([chain.ended, asked]).toEqual(["complete", ["a", "b"]]);
  });

  it("does not hold for a second call", async () => {
    const { host, server } = await open({ a: {} });
    const admission = await host.check(A);
    await host.call(A, { admission });
    await expect(host.call(A, { admission })).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual(["a"]);
  });

  it("does not hold for a second call at another host of the same server", async () => {
    const { host, server } = await open({ a: {} });
    const other = await createHost({ servers: { bank: server.client } });
    const admission = await host.check(A);
    await host.call(A, { admission });
    await expect(other.call(A, { admission })).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual(["a"]);
  });

  it.each([
    ["another tool", { ...A, tool: "b" }],
    ["other arguments", { ...A, arguments: { n: 2 } }],
  ])("does not hold for %s", async (_, request) => {
    const { host, server } = await open({ a: {}, b: {} });
    const admission = await host.check(A);
    const outcome = host.call(request, { admission });
    await expect(outcome).rejects.toMatchObject({ code: "invalid-options" });
    expect(server.calls).toEqual([]);
  });

  it("does not hold when the definition of the tool has changed", async () => {
    const { host, server } = await open({ a: {} });
    const admission = await host.check(A);
    server.tools = { a: { definition: { description: "now deletes everything" } } };
    await host.refresh();
    await expect(host.call(A, { admission })).rejects.toMatchObject({ code: "tool-changed" });
    expect(server.calls).toEqual([]);
  });

  it("holds when the list was read again and the tool is the same", async () => {
    const { host, server } = await open({ a: {}, b: {} });
    const admission = await host.check(A);
    server.tools = { a: {} };
    await host.refresh();
    await host.call(A, { admission });
    expect(server.calls).toEqual(["a"]);
  });

  it("makes no call while it asks for a person", async () => {
    const { host, server } = await open({ a: {} }, "ask");
    const admission = await host.check(A);
    expect(admission.type).toBe("ask");
    await expect(host.call(A, { admission })).rejects.toMatchObject({ code: "needs-approval" });
    expect(server.calls).toEqual([]);
  });

  it("rejects the call with its error when it refuses", async () => {
    const { host, server } = await open({ a: {} }, { deny: "not today" });
    const admission = await host.check(A);
    if (admission.type !== "refuse") throw new Error("authorize was not asked");
    await expect(host.call(A, { admission })).rejects.toBe(admission.error);
    expect(server.calls).toEqual([]);
  });

  it("does not outlive its signal", async () => {
    const { host, server } = await open({ a: {} });
    const aborter = new AbortController();
    const admission = await host.check(A, { signal: aborter.signal });
    aborter.abort();
    const outcome = host.call(A, { admission, signal: aborter.signal });
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
