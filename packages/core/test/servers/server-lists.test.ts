import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHost, type HostEvent, type McpPort } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

async function open() {
  const server = await createTestServer({ a: {} });
  const events: HostEvent["type"][] = [];
  const host = await createHost({
    servers: { bank: server.client },
    onEvent: ({ type }) => events.push(type),
  });
  return { server, host, events, names: () => host.tools.map(({ name }) => name) };
}

describe("host.refresh", () => {
  it("reads the tools again", async () => {
    const { server, host, names, events } = await open();
    server.tools = { a: {}, b: {} };
    await host.refresh("bank");
    expect(names()).toEqual(["a", "b"]);
    expect(events).toEqual(["tools-changed"]);
  });

  it("keeps the old tools of a server that does not answer, and says so", async () => {
    const { server, host, names, events } = await open();
    await server.client.close();
    await host.refresh();
    expect(names()).toEqual(["a"]);
    expect(host.problems).toEqual([expect.objectContaining({ code: "list-failed" })]);
    expect(events).toEqual(["problem"]);
  });

  it("refuses an unknown server", async () => {
    const { host } = await open();
    await expect(host.refresh("mail")).rejects.toMatchObject({ code: "invalid-options" });
  });

  it("answers all who ask with tools at least as new as their question", async () => {
    const { server, host, names } = await open();
    const asked = [host.refresh()];
    server.tools = { b: {} };
    asked.push(host.refresh(), host.refresh());
    await Promise.all(asked);
    expect(names()).toEqual(["b"]);
  });

  it("does not change a list that somebody holds", async () => {
    const { server, host } = await open();
    const held = host.tools;
    server.tools = { b: {} };
    await host.refresh();
    expect(held.map(({ name }) => name)).toEqual(["a"]);
  });
});

it("a server that tells of a change with each list is read now and then, and not without end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { server, host } = await open();
  let lists = 0;
  server.server.setRequestHandler(ListToolsRequestSchema, async () => {
    lists++;
    await server.server.sendToolListChanged();
    return { tools: [] };
  });
  await server.server.sendToolListChanged();
  for (let round = 1; round <= 3; round++) {
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(lists).toBe(round);
    await vi.advanceTimersByTimeAsync(200);
  }
  await host.close();
});

describe("a list that is on its way when its tools change", () => {
  async function openHeld() {
    const held: (() => void)[] = [];
    const state = { name: "a", isHeld: false, tell() {} };
    const port: McpPort = {
      async list() {
        const tools = [{ name: state.name, inputSchema: { type: "object" } }];
        if (state.isHeld) await new Promise<void>((resolve) => held.push(resolve));
        return { tools };
      },
      call: async () => ({ content: [] }),
      watch(listener) {
        state.tell = listener;
        return () => {};
      },
    };
    const host = await createHost({ servers: { bank: port } });
    state.isHeld = true;
    const reading = host.refresh();
    await expect.poll(() => held.length).toBe(1);
    Object.assign(state, { name: "b", isHeld: false });
    const arrive = async () => {
      held[0]?.();
      await reading;
    };
    return { host, state, arrive };
  }

  it("is read again for one who asks then", async () => {
    const { host, arrive } = await openHeld();
    const second = host.refresh();
    await arrive();
    await second;
    expect(host.tools.map(({ name }) => name)).toEqual(["b"]);
  });

  it("is read again for a call if the change was announced", async () => {
    const { host, state, arrive } = await openHeld();
    state.tell();
    const call = host.call({ tool: "b" });
    await arrive();
    expect(await call).toMatchObject({ tool: "b" });
  });
});

it("a change that was announced is read once, however many calls follow", async () => {
  const { server, host } = await open();
  const list = vi.fn(async () => ({
    tools: [{ name: "a", inputSchema: { type: "object" as const } }],
  }));
  server.server.setRequestHandler(ListToolsRequestSchema, list);
  await server.server.sendToolListChanged();
  for (let calls = 0; calls < 3; calls++) await host.call({ tool: "a" });
  expect(list).toHaveBeenCalledOnce();
});

describe("host.close", () => {
  it("ends the host and its clients, and may be called twice", async () => {
    const { server, host } = await open();
    await host.close();
    await host.close();
    expect(server.client.transport).toBeUndefined();
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "aborted" });
    await expect(host.refresh()).rejects.toMatchObject({ code: "aborted" });
    expect(await host.run({ tool: "a" })).toMatchObject({ ended: "aborted" });
  });
});
