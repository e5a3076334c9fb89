import type { JsonObject } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { HostTool } from "./tool.ts";

/** One call on its way to a server, as policies and interceptors see it. */
export interface ToolCall {
  readonly callId: string;
  readonly runId: string;
  readonly tool: HostTool;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal | undefined;
}

/** A policy's answer on a call: `"ask"` leaves it to a person. */
export type Authorization = "allow" | "ask" | { readonly deny: string };

/** What `requestMeta` is asked for: the list of a server's tools, or one call. */
export type MetaRequest =
  | { readonly method: "tools/list"; readonly server: string }
  | ({ readonly method: "tools/call"; readonly server: string } & ToolCall);

/** Runs around the call itself. Call `next` once, more often (a retry), or not at all (a cache). */
export type Interceptor = (
  call: ToolCall,
  next: (call: ToolCall) => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** The application's own code in the door. */
export interface DoorHooks {
  /** Asked once for each call, hops and steps included. Default: allow. What it throws is a denial. */
  readonly authorize?: (call: ToolCall) => Authorization | PromiseLike<Authorization>;
  /** Around each call, the first outermost. Their results are checked like a server's. */
  readonly intercept?: readonly Interceptor[];
  /** `_meta` of requests: context from the application, never from a model; `traceparent` and its like too. */
  readonly requestMeta?: (
    request: MetaRequest,
  ) => JsonObject | undefined | PromiseLike<JsonObject | undefined>;
  /**
   * W3C trace context of a call or a run, by its id: calls that follow from it, or that waited for a person, bear it in
   * `origin.traceparent`, in other processes too. See `trace` of `@toolrail/core/otel`.
   */
  readonly traceparentOf?: (id: string) => string | undefined;
  /**
   * Told of every call that was answered, with its result, whoever asked for it: the place to show
   * the user what is for the user. What it throws is ignored.
   */
  readonly onHop?: (hop: Hop) => void;
}
