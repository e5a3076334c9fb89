import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { McpClientLike } from "@toolrail/core";

type Request = Parameters<Client["request"]>;
type Handle = Parameters<Client["setNotificationHandler"]>;

/** A client of the MCP SDK that outlives its connection. */
export interface LastingClient extends McpClientLike {
  request(...request: Request): Promise<unknown>;
  setNotificationHandler(...handle: Handle): void;
  close(): Promise<void>;
}

/**
 * Connects when it is first needed, and again after the server has gone away. A request that failed
 * is not repeated, since nobody knows what it did; only one that the server refused because it does
 * not know the session (it has started anew) is.
 */
export function createLastingClient(url: URL): LastingClient {
  let connected: Promise<Client> | undefined;
  let isClosed = false;
  const handlers: Handle[] = [];

  async function connect(): Promise<Client> {
    const client = new Client({ name: "bank-chatbot", version: "1.0.0" });
    for (const handle of handlers) client.setNotificationHandler(...handle);
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  }

  async function current(): Promise<Client> {
    if (isClosed) throw new Error("The client is closed.");
    connected ??= connect();
    const mine = connected;
    try {
      return await mine;
    } catch (error) {
      if (connected === mine) connected = undefined;
      throw error;
    }
  }

  function drop(client: Client): void {
    connected = undefined;
    void client.close().catch(() => {});
  }

  async function request(...parameters: Request): Promise<unknown> {
    const client = await current();
    try {
      return await client.request(...parameters);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      drop(client);
      if (!isUnknownSession(error)) throw error;
      return (await current()).request(...parameters);
    }
  }

  return {
    request,
    listTools: async () => {
      throw new Error("List through request: this client keeps no tools.");
    },
    setNotificationHandler(...handle) {
      handlers.push(handle);
      void connected?.then((client) => client.setNotificationHandler(...handle)).catch(() => {});
    },
    async close() {
      isClosed = true;
      await (await connected?.catch(() => undefined))?.close();
    },
  };
}

/** Anything but an answer of the server: those carry a number of the JSON-RPC kind. */
function isConnectionLost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code !== "number" || code === -32000 || code >= 100;
}

/** HTTP 404 to a request with a session id: the server must be initialized again (MCP 2025-11-25). */
function isUnknownSession(error: unknown): boolean {
  return (error as { code?: unknown }).code === 404;
}
