import * as z from "zod/mini";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { withOwnSignal } from "./own-signal.ts";

/**
 * Any MCP client that Toolrail can use: `Client` of `@modelcontextprotocol/sdk` (v1) or of
 * `@modelcontextprotocol/client` (v2), and the client of `@ai-sdk/mcp`. Structural: none is imported.
 */
export interface McpClientLike {
  listTools(...parameters: never[]): PromiseLike<{ readonly tools: readonly unknown[] }>;
  close?(): PromiseLike<void>;
}

export type ClientKind = "sdk-v1" | "sdk-v2" | "ai-sdk";

/** A client alone, or with what the host cannot see for itself. */
export type ServerOption =
  | McpClientLike
  | {
      readonly client: McpClientLike;
      /** For a wrapped client whose kind cannot be recognised. */
      readonly kind?: ClientKind;
      /** True keeps the client open on `host.close()`, for clients that others use as well. */
      readonly shared?: boolean;
    };

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A `notifications/progress` of the server. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** What the host needs of a client: requests as they stand on the wire, and one notification. */
export interface McpPort {
  request(method: string, params: JsonObject, options: RequestOptions): Promise<unknown>;
  /** Returns how to stop listening. */
  onToolsChanged(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Accepts any result, so that the host and not the client decides what a bad one costs. */
const ANY = z.unknown();
const TOOLS_CHANGED = "notifications/tools/list_changed";

interface SdkClient {
  request(request: object, schema: unknown, options: object): Promise<unknown>;
  setNotificationHandler(key: unknown, handler: NotificationHandler): void;
  removeNotificationHandler(method: string): void;
  readonly _notificationHandlers?: unknown;
}

type NotificationHandler = (...notification: unknown[]) => unknown;

interface AiSdkClient {
  request(parameters: {
    request: object;
    resultSchema: unknown;
    options: object;
  }): Promise<unknown>;
}

/** Puts the port in front of a client. Throws `unknown-client` where its kind cannot be told. */
export function toPort(server: string, option: ServerOption): McpPort {
  const { client, kind, shared = false } = "client" in option ? option : { client: option };
  const close = async () => {
    if (!shared) await client.close?.();
  };
  switch (kind ?? recogniseKind(client)) {
    case "sdk-v1":
    case "sdk-v2":
      return { ...sdkPort(client as unknown as SdkClient, kind ?? recogniseKind(client)), close };
    case "ai-sdk":
      return { ...aiSdkPort(client as unknown as AiSdkClient), close };
    case undefined:
      throw new ToolrailError(
        "unknown-client",
        `The client of server "${server}" is of no kind that is known here. Pass a Client of ` +
          `@modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, ` +
          `or { client, kind } for a wrapped one.`,
      );
  }
}

function recogniseKind(client: McpClientLike): ClientKind | undefined {
  const has = (name: string) => typeof (client as unknown as JsonObject)[name] === "function";
  if (!has("request")) return undefined;
  if (has("toolsFromDefinitions")) return "ai-sdk";
  if (!has("setNotificationHandler")) return undefined;
  return has("getProtocolEra") ? "sdk-v2" : "sdk-v1";
}

function sdkPort(client: SdkClient, kind: ClientKind | undefined): Omit<McpPort, "close"> {
  return {
    request(method, params, { signal, timeoutMs, totalTimeoutMs, onProgress }) {
      const send = (own?: AbortSignal) =>
        client.request({ method, params }, ANY, {
          timeout: timeoutMs,
          maxTotalTimeout: totalTimeoutMs,
          resetTimeoutOnProgress: true,
          // Without a listener the server is given no token, and its progress would not count as a sign of life.
          onprogress: onProgress ?? ignore,
          signal: own,
        });
      return signal ? withOwnSignal(signal, undefined, send) : send();
    },
    onToolsChanged(listener) {
      const handlers = handlersOf(client);
      const previous = handlers?.get(TOOLS_CHANGED);
      if (handlers && previous) {
        // The clients hold one handler a notification: the application's own must go on being called.
        const both: NotificationHandler = (...notification) => {
          listener();
          return previous(...notification);
        };
        handlers.set(TOOLS_CHANGED, both);
        return () => {
          if (handlers.get(TOOLS_CHANGED) === both) handlers.set(TOOLS_CHANGED, previous);
        };
      }
      const key =
        kind === "sdk-v2" ? TOOLS_CHANGED : z.object({ method: z.literal(TOOLS_CHANGED) });
      client.setNotificationHandler(key, listener);
      const own = handlers?.get(TOOLS_CHANGED);
      return () => {
        const isOwn = own !== undefined && handlers?.get(TOOLS_CHANGED) === own;
        if (isOwn) client.removeNotificationHandler(TOOLS_CHANGED);
      };
    },
  };
}

function ignore(): void {}

/** Both SDKs keep their handlers in this map, and offer no way to read it. */
function handlersOf(client: SdkClient): Map<string, NotificationHandler> | undefined {
  const handlers = client._notificationHandlers;
  return handlers instanceof Map ? handlers : undefined;
}

function aiSdkPort(client: AiSdkClient): Omit<McpPort, "close"> {
  return {
    async request(method, params, { signal, timeoutMs }) {
      let isLate = false;
      const send = (own: AbortSignal) => {
        own.addEventListener("abort", () => {
          isLate = !signal?.aborted;
        });
        const options = { signal: own, abortSignal: own };
        return client.request({ request: { method, params }, resultSchema: ANY, options });
      };
      try {
        return await withOwnSignal(signal, timeoutMs, send);
      } catch (cause) {
        if (!isLate) throw cause;
        throw new ToolrailError("timeout", `No answer within ${timeoutMs} ms.`, { cause });
      }
    },
    // This client passes no notifications on: `host.refresh()` is the way.
    onToolsChanged: () => ignore,
  };
}
