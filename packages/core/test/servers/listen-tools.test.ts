import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createHost, type HostEvent } from "../../src/index.ts";

interface Setup {
  /** What the server says of itself. Default true. */
  readonly listChanged?: boolean;
  /** Answers requests to listen in place of the server. */
  readonly onListen?: () => Response | undefined;
}

/** A server of MCP 2026-07-28, whose list can be changed, and a host over SDK v2. */
async function open({ listChanged = true, onListen }: Setup = {}) {
  const names = ["a"];
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: "bank", version: "1" },
      { capabilities: { tools: { listChanged } } },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: names.map((name) => ({ name, inputSchema: { type: "object" as const } })),
    }));
    return server;
  });
  const listens: Request[] = [];
  const cuts: (() => void)[] = [];
  const transport = new StreamableHTTPClientTransport(new URL("http://bank.invalid/mcp"), {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      if (request.headers.get("mcp-method") !== "subscriptions/listen")
        return handler.fetch(request);
      listens.push(request);
      const answer = onListen?.() ?? (await handler.fetch(request));
      if (!answer.body) return answer;
      const cut = new AbortController();
      cuts.push(() => cut.abort());
      const { readable, writable } = new TransformStream();
      void answer.body.pipeTo(writable, { signal: cut.signal }).catch(() => {});
      return new Response(readable, answer);
    },
  });
  const client = new Client(
    { name: "test-client", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  const events: HostEvent["type"][] = [];
  const onEvent = ({ type }: HostEvent) => events.push(type);
  const host = await createHost({ servers: { bank: client }, onEvent });
  onTestFinished(() => host.close());
  const offered = () => host.tools.map(({ name }) => name);
  const change = (name: string) => {
    names.push(name);
    handler.notify.toolsChanged();
  };
  const { _notificationHandlers: handlers } = client as unknown as {
    readonly _notificationHandlers: Map<string, unknown>;
  };
  const hasListener = () => handlers.has("notifications/tools/list_changed");
  return { host, names, change, offered, listens, cuts, events, hasListener };
}

describe("on MCP 2026-07-28, where servers tell of changes only those who listen", () => {
  it("a host hears of changed tools", async () => {
    const { change, offered, listens, cuts, events } = await open();
    await expect.poll(() => cuts).toHaveLength(1);
    change("b");
    await expect.poll(() => offered()).toEqual(["a", "b"]);
    expect(listens).toHaveLength(1);
    expect(events).toContain("tools-changed");
  });

  it("a host listens again after the stream was cut, and reads what it may have missed", async () => {
    let onListen = () => {};
    const { names, offered, cuts } = await open({ onListen: () => onListen() as undefined });
    await expect.poll(() => cuts).toHaveLength(1);
    onListen = () => void names.push("b"); // Nobody is told.
    cuts[0]?.();
    await expect.poll(() => offered()).toEqual(["a", "b"]);
  });

  it("the events report no change if there was none", async () => {
    const { host, listens, events } = await open();
    await expect.poll(() => listens).toHaveLength(1);
    await host.refresh();
    expect(events).toEqual([]);
  });

  it("a closed host ends its subscription, opens no other and leaves no listener behind", async () => {
    const { host, listens, hasListener } = await open();
    await expect.poll(() => listens).toHaveLength(1);
    expect(hasListener()).toBe(true);
    await host.close();
    expect(hasListener()).toBe(false);
    expect(listens[0]?.signal.aborted).toBe(true);
    expect(listens).toHaveLength(1);
  });

  it("a server that tells of no changes is not asked to", async () => {
    const { host, listens } = await open({ listChanged: false });
    await host.refresh();
    expect(listens).toEqual([]);
  });

  it("a server that does not know how is asked once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const error = { code: -32601, message: "Method not found" };
    const { listens } = await open({
      onListen: () => Response.json({ jsonrpc: "2.0", id: "listen:0", error }),
    });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(listens).toHaveLength(1);
  });

  it("a server that ends each subscription at once is asked less and less often", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { listens } = await open({ onListen: () => new Response(null, { status: 503 }) });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(listens.length).toBeGreaterThan(5);
    expect(listens.length).toBeLessThan(25);
  });
});
