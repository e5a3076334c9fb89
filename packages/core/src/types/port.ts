import type { JsonObject } from "@toolrail/json";

/** A `notifications/progress` of the server. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Bounds on one request, and what its transport needs. The port keeps the time: it rejects when one of the limits is over. */
export interface PortOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** The longest silence in milliseconds; progress starts it anew. */
  readonly timeoutMs: number;
  /** The longest that the request may take in milliseconds, whatever progress it reports. */
  readonly totalTimeoutMs: number;
  /** Called with each progress that the server reports. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Of a call: the tool's input schema, which says what arguments go out as HTTP headers too (`x-mcp-header`). */
  readonly inputSchema?: JsonObject | undefined;
  /** HTTP headers of this request. A port that cannot send them rejects. */
  readonly headers?: RequestHeaders | undefined;
  /** Of a call: who calls, for a port in the same process. It is not for the wire. */
  readonly context?: unknown;
  /** Of a call: its conversation, for a port in the same process. It is not for the wire either. */
  readonly conversation?: string | undefined;
}

/** One page of `tools/list`. `meta` goes into the request's `_meta`. */
export interface ListRequest {
  readonly cursor?: unknown;
  readonly meta?: JsonObject | undefined;
}

/** One `tools/call`. `meta` goes into the request's `_meta`. */
export interface ToolCallRequest {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly meta?: JsonObject | undefined;
  /** Answers to what the server has asked in the middle of this very call, and what it wants back with them. */
  readonly inputResponses?: JsonObject | undefined;
  readonly requestState?: string | undefined;
}

/** A request beside tools: `resources/read`, `resources/list`. `meta` goes into the request's `_meta`. */
export interface ResourceRequest {
  readonly method: "resources/read" | "resources/list";
  readonly params: JsonObject;
  readonly meta?: JsonObject | undefined;
}

/**
 * What a host needs of a server. MCP clients are turned into one, and anything else may be one: a server in
 * the same process, a recording, a test. Answers are those of the wire, unchecked: the host checks them.
 */
export interface McpPort {
  /** The answer to `tools/list`: `{ tools, nextCursor? }`. Rejects as the client does. */
  list(request: ListRequest, options: PortOptions): Promise<unknown>;
  /** The answer to `tools/call`: `{ content, structuredContent?, isError?, _meta? }`. */
  call(request: ToolCallRequest, options: PortOptions): Promise<unknown>;
  /** The answer to a request for resources. Absent where there are none. Rejects as the client does. */
  request?(request: ResourceRequest, options: PortOptions): Promise<unknown>;
  /** Calls the listener whenever the list of tools has changed; returns how to stop. */
  watch?(listener: () => void): () => void;
  /** False where no request could be sent any more. A host then asks for a new port, where it can: see `Server`. */
  isOpen?(): boolean;
  /** Opens a session again that the server has forgotten, over the same connection. Absent if the port cannot. */
  reopen?(): Promise<void>;
  /** True where the answer to a call may be `input_required` (MCP 2026-07-28), or that the user has to visit a page first. */
  mayAsk?(): boolean;
  /** What the server says of its use, once it is connected: `instructions` of its handshake. */
  instructions?(): string | undefined;
  /** Closes the connection. */
  close?(): Promise<void>;
}

/** HTTP headers by their names. */
export type RequestHeaders = { readonly [name: string]: string };
