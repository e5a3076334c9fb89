import { z } from "zod";
import type { ErrorRecord } from "../errors.ts";
import { isJsonObject, type JsonObject, measure } from "../json/json.ts";
import { jsonObject } from "../json/shape.ts";
import { type CallToolResult, contentBlockDefect } from "./call-tool-result.ts";

/** The origin of a call: who or what asked for it. Policies, plugins and events receive it. */
export type CallOrigin = {
  /**
   * True if the arguments may contain content for the user alone: the result that asked for the call has such content. No model
   * reads these arguments.
   */
  readonly forUserAlone?: true;
} & (
  | { readonly by: "application" }
  | { readonly by: "model"; readonly toolCallId?: string }
  /** A `nextTool` in the result of the call `causedBy`, or a rule of the operator. `depth` is 1 for the second call. */
  | {
      readonly by: "chain";
      readonly causedBy: string;
      /** The tool of that call, as `server.tool`. */
      readonly after: string;
      readonly depth: number;
      /** The name of the rule. Absent if the server asked. */
      readonly rule?: string;
    }
  /** A step of a pipe. `author` wrote the pipe, and `path` is the step's path in it. */
  | {
      readonly by: "pipe";
      readonly pipeId: string;
      readonly path: string;
      readonly author: "application" | "model";
    }
);

/** The outcome of checking a result. The raw result is kept in any case. */
export type OutputVerdict<T = unknown> =
  /** The result needs no check: it is an error or a widget, or its tool has neither output schema nor parser. */
  | { readonly status: "unchecked" }
  /** `value` is `structuredContent`, or the registered parser's output. */
  | { readonly status: "valid"; readonly value: T }
  /** No model reads the result, and nothing follows from it. */
  | { readonly status: "invalid"; readonly message: string };

export function toRef({ server, tool }: { readonly server: string; readonly tool: string }) {
  return { server, name: tool };
}

/** A finished call: the tool, its arguments, who asked, the result and its times. Plain JSON. */
export interface Hop<T = unknown> {
  readonly callId: string;
  /** The id that all calls of one chain or one pipe share. */
  readonly runId: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The arguments as the model wrote them, if they contained addresses of kept results. */
  readonly written?: JsonObject;
  /** The requested arguments, if the person who approved the call changed them. */
  readonly changedFrom?: JsonObject;
  /** The id under which `host.keep` stored the whole result. `result` and `arguments` are then shortened. */
  readonly kept?: string;
  readonly origin: CallOrigin;
  readonly result: CallToolResult;
  readonly output: OutputVerdict<T>;
  /** True if another worker, or an earlier use of the same approval, made the call. This is its only result. */
  readonly madeBefore?: true;
  /** True if the application shows the result: it has no content, and its `_meta` or the tool declares a widget. */
  readonly isWidget?: true;
  /** True if the tool has a view (`_meta.ui.resourceUri`, MCP Apps). Its structured content is for the view, and a model reads its text. */
  readonly hasView?: true;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
}

/** Stored arguments, which were measured against the limits of their host before they were stored. */
const keptArguments = /* @__PURE__ */ jsonObject.refine(
  (args) => !measure(args, { maxBytes: Number.MAX_SAFE_INTEGER, maxDepth: 512 }),
);
const CALL = /* @__PURE__ */ z.object({
  server: z.string(),
  tool: z.string(),
  arguments: keptArguments,
  changedFrom: keptArguments.optional(),
  origin: z.object({ by: z.string() }),
});
const HOP = /* @__PURE__ */ CALL.extend({
  callId: z.string(),
  runId: z.string(),
  result: z.object({
    content: z.array(z.unknown().refine((block) => !contentBlockDefect(block))),
    _meta: jsonObject.optional(),
  }),
  output: jsonObject,
});

/** Returns true if a value from a store, a state or a session is a valid hop. */
export function isHop(value: unknown): value is Hop {
  return HOP.safeParse(value).success;
}

/** Returns true if an untrusted value has the valid tool, arguments and origin of a call, made or pending. */
export function isCall(
  value: unknown,
): value is Pick<Hop, "server" | "tool" | "arguments" | "origin"> & JsonObject {
  return CALL.safeParse(value).success;
}

/** The most characters of changed arguments that a model reads. */
const MAX_CHANGED = 500;

/** Returns the sentence that informs a model of changed arguments, or `undefined` if they were not changed. */
export function changeText(hop: Partial<Hop>): string | undefined {
  const { arguments: args, written = args, changedFrom, origin } = hop;
  if (!changedFrom) return undefined;
  const text = origin?.forUserAlone ? "" : JSON.stringify(written);
  const shown = text === "" || text.length > MAX_CHANGED ? "" : `: ${text}`;
  return `The person who approved this call changed its arguments${shown}.`;
}

/** A key of a result's `_meta` by which a server declares a widget. */
const WIDGET_KEY = /\/widget$/;

/** Returns true if a result has no content, and its `_meta` or that of its tool declares that the application shows it. */
export function isWidget(result: CallToolResult, toolMeta: JsonObject = {}): boolean {
  if (result.content.length > 0 || result.structuredContent !== undefined) return false;
  const isDeclared = Object.keys(result._meta ?? {}).some((key) => WIDGET_KEY.test(key));
  return isDeclared || hasView(toolMeta) || typeof toolMeta["openai/outputTemplate"] === "string";
}

/** Returns true if the `_meta` of a tool declares a view of its results (MCP Apps). */
function hasView({ ui, "ui/resourceUri": uri }: JsonObject): boolean {
  return [isJsonObject(ui) && ui.resourceUri, uri].some((address) => typeof address === "string");
}

/** Returns what the application shows of a result, as a hop says it. */
export function shownOf(result: CallToolResult, toolMeta: JsonObject = {}): Partial<Hop> {
  const view = hasView(toolMeta) && ({ hasView: true } as const);
  return { ...(isWidget(result, toolMeta) && { isWidget: true }), ...view };
}

/** A value in the arguments of a call that a plugin has replaced, such as the address of a kept result. */
export interface UsedReference {
  /** The path of the argument: `rows.0.name`. */
  readonly path: string;
  /** The first 300 characters of the value as it was written. */
  readonly address: string;
  /** The first 300 characters of the value that is sent, for a person who is asked. */
  readonly preview: string;
}

/** The way in which a chain ended. */
export type ChainEnd =
  /** The last result named no next tool. */
  | "complete"
  /** One more call would exceed `limits.maxChainDepth`. */
  | "depth-limit"
  /** The next call was already made in this chain, with the same arguments. */
  | "cycle"
  /** `nextTool` is malformed or contradictory, or a rule cannot make its call: see `error`. */
  | "malformed"
  | "unknown-tool"
  | "invalid-arguments"
  /** Refused by `allow`, by `authorize`, or because the tool is quarantined. */
  | "denied"
  /** `authorize` returned `"ask"`: see `pending` and `host.resume`. */
  | "needs-approval"
  /** The last result breaks the `outputSchema` of its tool, or its parser rejects it. No model reads it. Nothing follows. */
  | "invalid-output"
  /** The call failed: timeout, connection, protocol, or an invalid result. */
  | "failed"
  | "aborted";

/** A call that is known but was not made. */
export interface PendingCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  /** The reason why a person's other arguments cannot be sent. The call still waits. */
  readonly problem?: string;
  /** The description of the question, if the call waits for a person: see `CallOptions.approved`. */
  readonly binding?: string;
  /** The options of the run for `host.resume`, if the call waits. */
  readonly key?: string;
  readonly conversation?: string;
  /** The reason for asking a person, in plain words. Absent if no policy gave one. */
  readonly reason?: string;
  /** The values of the addresses in the arguments, if a person is asked and there are any. */
  readonly references?: readonly UsedReference[];
}

/** A call and all calls that followed from it. `hops` holds the finished ones, in order. */
export interface ChainResult {
  readonly runId: string;
  readonly ended: ChainEnd;
  readonly hops: readonly Hop[];
  /** The call that was not made, if one was known. */
  readonly pending?: PendingCall;
  /** The error that ended the chain, unless it is complete. In the process of the run it is the `ToolrailError` itself. */
  readonly error?: ErrorRecord;
}

/**
 * A person's decision on a pending call: approve it, approve it with other arguments, or deny it with a reason. Other arguments are checked in full. If they are invalid, nothing is sent and the call still
 * waits, with a `problem`.
 */
export type Decision =
  | "approve"
  | { readonly approve: { readonly arguments: JsonObject } }
  | { readonly deny: string };
