import type { JsonObject } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { Provenance } from "./argument-source.ts";
import type { HostTool } from "./tool.ts";

/**
 * One call on its way to a server, as policies and interceptors see it. Exact `sources`, of pipes and chains, are always
 * there; copies, `fromUser` and `read` where the host tracks sources and the call has a `scope`.
 */
export interface ToolCall extends Partial<Provenance> {
  readonly callId: string;
  readonly runId: string;
  readonly tool: HostTool;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal | undefined;
  /** The conversation that the call belongs to, as the application stated it. Absent where it stated none. */
  readonly scope?: string | undefined;
}

/** A policy's answer on a call: `"ask"` leaves it to a person, who is told the reason where one is given. */
export type Authorization = "allow" | "ask" | { readonly ask: string } | { readonly deny: string };

/** A policy: what the operator says of a call. */
export type Policy = (call: ToolCall) => Authorization | PromiseLike<Authorization>;

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
  /**
   * Asked once for each call, hops and steps included. Of several, each is asked in order until one denies; one `"ask"`
   * is enough to leave the call to a person. Default: allow. What a policy throws is a denial.
   */
  readonly authorize?: Policy | readonly Policy[];
  /** Around each call, the first outermost. Their results are checked like a server's. */
  readonly intercept?: readonly Interceptor[];
  /** `_meta` of requests: context from the application, never from a model; `traceparent` and its like too. */
  readonly requestMeta?: (
    request: MetaRequest,
  ) => JsonObject | undefined | PromiseLike<JsonObject | undefined>;
  /**
   * Told of every call that was answered, with its result, whoever asked for it: the place to show
   * the user what is for the user. What it throws is ignored.
   */
  readonly onHop?: (hop: Hop) => void;
}
