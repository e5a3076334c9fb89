import type { JsonObject } from "@toolrail/json";
import type { CallOrigin } from "../result/hop.ts";
import type { InputForm, InputPage } from "../result/input-request.ts";
import type { UsedReference } from "../result/used-reference.ts";
import type { NamedTools, Tool } from "./tool.ts";

/** The source of a part of a call's arguments. It names paths and holds no values. */
export interface ArgumentSource {
  /** The path of the argument: `recipient`, `items.0.to`, `headers["x.id"]`. Empty if it means all arguments. */
  readonly path: string;
  /** The server whose result held the value. It is empty for a note, whose name is then in `tool`. */
  readonly server: string;
  readonly tool: string;
  /** The id of the call with that result. Absent for a note. */
  readonly callId?: string;
  /** The path in that result: `structured.rows.0.id`. Absent for a copy, which is found by its value. */
  readonly from?: string;
  /** The way the source was found. A `copy` was found by its value. All others are exact. */
  readonly how: "reference" | "pipe" | "chain" | "copy";
  /** True if the source holds a part of the value or another spelling of it, or received it as an argument itself. */
  readonly part?: true;
}

/** The known sources of a call's arguments. */
export interface Provenance {
  readonly sources: readonly ArgumentSource[];
  /** The paths of arguments that the user wrote word for word. */
  readonly fromUser: readonly string[];
  /** The paths of arguments whose values a person has approved before, for this tool in this conversation. */
  readonly endorsed?: readonly string[];
  /** The tools whose results were read before in this conversation, as `server.tool`, and the names of notes. */
  readonly read: readonly string[];
  /**
   * The entries of `read` that could not be searched in full for these arguments: they were read in another process,
   * dropped, or too long. An argument may still come from there.
   */
  readonly unexamined: readonly string[];
}

/**
 * A call on its way to a server, as policies and plugins see it. The exact `sources` of pipes and chains are always set.
 * Copies, `fromUser` and `read` are set if the host uses the `sources` plugin and the call has a `conversation`.
 */
export interface ToolCall extends Partial<Provenance> {
  readonly callId: string;
  readonly runId: string;
  readonly tool: Tool;
  /** The arguments to send, with resolved addresses. */
  readonly arguments: JsonObject;
  /** The arguments with addresses of kept results, as the model wrote them. Absent if they contain none. */
  readonly written?: JsonObject;
  /** The arguments before the person who approved the call changed them. Absent if nothing was changed. */
  readonly changedFrom?: JsonObject;
  /** The paths of the arguments that this person wrote. Absent if nothing was changed. */
  readonly fromPerson?: readonly string[];
  /** The values that replaced addresses, with their sources. Absent if there were none. */
  readonly references?: readonly UsedReference[];
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal | undefined;
  /** The conversation of the call: see `CallOptions`. Absent if the application gave none. */
  readonly conversation?: string | undefined;
  /** The caller: see `CallOptions`. */
  readonly context?: unknown;
}

/**
 * A policy's answer to a call: allow it, leave it to a person (`{ ask }` gives them the reason), or deny it with a reason.
 */
export type Authorization = "allow" | "ask" | { readonly ask: string } | { readonly deny: string };

/** A rule of the operator on calls. If a protecting name in `names` matches no tool, `createHost` fails. */
export type Policy = ((call: ToolCall) => Authorization | PromiseLike<Authorization>) & {
  readonly names?: readonly NamedTools[];
  /** Returns the paths of a tool's arguments whose sources the policy looks at. Default: all. */
  readonly targets?: (toolId: string) => readonly string[];
};

/** The request for which `requestMeta` and `requestHeaders` are called: a server's tool list, or one call. */
export type MetaRequest =
  | { readonly method: "tools/list"; readonly server: string }
  | ({ readonly method: "tools/call"; readonly server: string } & ToolCall);

/** A form that a server asks the user to fill in, or a page for the user to visit, for `onInputRequest`. */
export type ReceivedInput = (InputForm | InputPage) & {
  readonly server: string;
  /** The call that asks. Absent before MCP 2026-07-28, since older servers do not name it. */
  readonly call?: ToolCall;
  /** The reason why the previous answer was not accepted. */
  readonly problem?: string;
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
};
