import type { OptionTable } from "../check-options.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";

/** A `notifications/progress` of a server. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The limits and further facts of one request. The host ends it when its time is up, and aborts `signal`. */
export interface PortOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time of the request, in milliseconds. */
  readonly timeoutMs: number;
  /** Receives each progress notification of the server. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** The HTTP headers of this request. A port that cannot send them rejects. */
  readonly headers?: RequestHeaders | undefined;
  /** The caller's `context`, for a port in the same process. It must not be sent to a server. */
  readonly context?: unknown;
  /** The conversation of the call, for a port in the same process. It must not be sent either. */
  readonly conversation?: string | undefined;
  /**
   * Answers an `elicitation/create` that the server sends during this request. Returns `undefined` if the call has asked
   * too often, and rejects if nobody can answer.
   */
  readonly onElicitation?:
    | ((params: unknown, signal?: AbortSignal) => Promise<unknown> | undefined)
    | undefined;
}

/** A request for one page of `tools/list`. `meta` is sent as the request's `_meta`. */
export interface ListRequest {
  readonly cursor?: unknown;
  readonly meta?: JsonObject | undefined;
}

/** A `tools/call` request. `meta` is sent as the request's `_meta`. */
export interface ToolCallRequest {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly meta?: JsonObject | undefined;
  /** The answers to the server's input requests during this call. `requestState` is returned to the server unchanged. */
  readonly inputResponses?: JsonObject | undefined;
  readonly requestState?: string | undefined;
}

/**
 * The connection of a host to one server. The host turns MCP clients into ports. An application can write one for anything
 * else: a server in the same process, a recording, a test. Answers have the form of the protocol, and the host checks them.
 */
export interface McpPort {
  /** Sends `tools/list` and resolves to `{ tools, nextCursor? }`. Rejects with the client's errors. */
  list(request: ListRequest, options: PortOptions): Promise<unknown>;
  /** Sends `tools/call` and resolves to `{ content, structuredContent?, isError?, _meta? }`. */
  call(request: ToolCallRequest, options: PortOptions): Promise<unknown>;
  /** Calls the listener after each change of the tool list. Returns a function that removes the listener. */
  watch?(listener: () => void): () => void;
  /** False if the port cannot send requests any more. The host then connects again if it was given a function. */
  isOpen?(): boolean;
  /** True if the connection has a session id. A 404 then means that the server has forgotten the session and executed nothing. */
  hasSession?(): boolean;
  /** Returns the server's `instructions`, which it sends when it is connected. */
  instructions?(): string | undefined;
  close?(): Promise<void>;
}

/** What an application says of a server: options of `{ client }`, `http()` and `stdio()`. */
export interface ServerFacts {
  /** If true, models see its tools as `server_tool` even if it is the only server. Default: only if there are several. */
  readonly prefix?: boolean | undefined;
  /**
   * The keys of `_meta` at which its results name the next tool. All must agree. Default: `["nextTool", "openai/nextTool"]`.
   * With `[]`, none is followed.
   */
  readonly nextTool?: readonly string[] | undefined;
}

export const SERVER_FACTS: OptionTable<ServerFacts> = {
  prefix: "boolean",
  nextTool: "texts",
};

export type RequestHeaders = { readonly [name: string]: string };

/** True for an answer to `tools/call` that asks the user something, or asks to be asked again. */
export function asksForInput(raw: unknown): raw is JsonObject {
  const { resultType, inputRequests, requestState } = isJsonObject(raw) ? raw : {};
  if (resultType !== "input_required") return false;
  return requestState !== undefined || Object.keys(Object(inputRequests)).length > 0;
}
