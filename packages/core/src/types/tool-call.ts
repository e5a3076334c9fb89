import type { JsonObject } from "@toolrail/json";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { InputForm, InputPage } from "../result/input-request.ts";
import type { UsedReference } from "../result/used-reference.ts";
import type { NamedTools, Tool } from "./tool.ts";

/** Where a part of the arguments of a call came from. It names places and holds no value. */
export interface ArgumentSource {
  /** The part of the arguments: `recipient`, `items.0.to`, `headers["x.id"]`; empty where it is all of them. */
  readonly path: string;
  /** The server and the tool whose result held it. Of a note, `server` is empty and `tool` says what was read. */
  readonly server: string;
  readonly tool: string;
  /** The call of that result. Absent for a note. */
  readonly callId?: string;
  /** The place in that result, as `structured.rows.0.id`. Absent for a copy, which is found by its value. */
  readonly from?: string;
  /** `copy` was found by its value; the others are exact. */
  readonly how: "reference" | "pipe" | "chain" | "copy";
  /** Only a part of the value came from there, or it is spelled another way there, or the call itself was given the value. */
  readonly part?: true;
}

/** What is known of the arguments of a call. */
export interface Provenance {
  readonly sources: readonly ArgumentSource[];
  /** Paths of the arguments that the user has said, word for word. */
  readonly fromUser: readonly string[];
  /** Paths of the arguments whose values a person has approved before, for this tool in this conversation. */
  readonly endorsed?: readonly string[];
  /** Tools whose results were read before in this conversation, as `server.tool`, and what notes say was read. */
  readonly read: readonly string[];
  /**
   * Those of them of which not everything was searched for these arguments: read by another process, dropped since, or
   * too much. What came from there is unknown.
   */
  readonly unexamined: readonly string[];
}

/**
 * One call on its way to a server, as policies and interceptors see it. Exact `sources`, of pipes and chains, are always
 * there; copies, `fromUser` and `read` where the host tracks sources and the call has a `conversation`.
 */
export interface ToolCall extends Partial<Provenance> {
  readonly callId: string;
  readonly runId: string;
  readonly tool: Tool;
  /** As they are sent: what addresses of kept results stand for is put in. */
  readonly arguments: JsonObject;
  /** As the model wrote them, where they hold addresses of kept results. */
  readonly written?: JsonObject;
  /** What the arguments were before the person who approved the call changed them. */
  readonly changedFrom?: JsonObject;
  /** Paths of the arguments that this person wrote. Absent if they changed nothing. */
  readonly fromPerson?: readonly string[];
  /** What was put in for addresses, and where it came from. Absent where there were none. */
  readonly references?: readonly UsedReference[];
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal | undefined;
  /** The conversation that the call belongs to, as the application stated it. Absent where it stated none. */
  readonly conversation?: string | undefined;
  /** Who calls, as the application stated it: see `CallOptions`. */
  readonly context?: unknown;
}

/** A policy's answer on a call: `"ask"` leaves it to a person, who is told the reason where one is given. */
export type Authorization = "allow" | "ask" | { readonly ask: string } | { readonly deny: string };

/** A policy: what the operator says of a call. A host is not created if a name in its `names` that protects means no tool. */
export type Policy = ((call: ToolCall) => Authorization | PromiseLike<Authorization>) & {
  readonly names?: readonly NamedTools[];
  /** The paths of the arguments of a tool whose sources it looks at. Default: all. */
  readonly targets?: (toolId: string) => readonly string[];
};

/** What `requestMeta` and `requestHeaders` are asked for: the list of a server's tools, or one call. */
export type MetaRequest =
  | { readonly method: "tools/list"; readonly server: string }
  | ({ readonly method: "tools/call"; readonly server: string } & ToolCall);

/** Runs around the call itself. Call `next` once, more often (a retry), or not at all (a cache). */
export type Interceptor = (
  call: ToolCall,
  next: (call: ToolCall) => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** A form for the application's `onInputRequest` to have filled in, or a page to send the user to. */
export type ReceivedInput = (InputForm | InputPage) & {
  readonly server: string;
  /** The call that asks. Absent before MCP 2026-07-28, where a server does not say which it is. */
  readonly call?: ToolCall;
  /** Why the answer before this one did not do. */
  readonly problem?: string;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
};
