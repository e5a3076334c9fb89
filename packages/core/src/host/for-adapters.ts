import { describeQuestion, questionId } from "../call/approval.ts";
import { withoutWords } from "../call/call-error.ts";
import type { CallListeners, CallOptions, CallRequest } from "../call/call-options.ts";
import { checkCall } from "../call/make-call.ts";
import type { KeepOptions } from "../call/plugin.ts";
import { type Tool, type ToolFilter, toolId, toToolTest } from "../call/tool.ts";
import {
  callText,
  type DecidedEnd,
  endChain,
  HOP_KEY,
  isWaiting,
  toRequest,
} from "../chain/next-hop.ts";
import { hopId, type PendingHop } from "../chain/pending-hop.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { isJsonObject, sha256 } from "../json/json.ts";
import { type ChainResult, type Hop, toRef } from "../result/hop.ts";
import { isForUserInPart, type ModelView, modelView } from "../result/model-view.ts";
import { engineOf } from "./engine.ts";
import type { Host } from "./host.ts";

/**
 * Returns the tools that a model may be offered now, never those for apps alone. Throws `invalid-options` for an invalid filter,
 * and for a new name that matches no tool though all its servers have answered.
 */
export function offeredTools(host: Host, filter?: ToolFilter): readonly Tool[] {
  const engine = engineOf(host);
  const test = filter === undefined ? () => true : toToolTest(filter, "tools");
  if (Array.isArray(filter)) engine.watchNames("tools", filter, true);
  return host.tools.filter((tool) => tool.forModel && test(tool));
}

/** A question that a framework has asked under an id of its own. */
export interface FrameworkQuestion {
  /** An id that no other question has. The call that it allows is made once under this id. */
  readonly id: string;
  /** The time from now for which it is remembered that the call was made. Default: `limits.approvalTtlMs`. */
  readonly ttlMs?: number;
}

/**
 * Describes a question that a person has approved, for `approved` of the call, in frameworks that keep the question and the answer
 * themselves. Returns `undefined` for a call that is refused, approved or not: it has to be made without an approval.
 */
export async function describeApproval(
  host: Host,
  request: CallRequest,
  question: FrameworkQuestion & CallOptions,
): Promise<string | undefined> {
  const { parts, approvalTtlMs } = engineOf(host);
  const { id, ttlMs, ...options } = Object(question) as typeof question;
  if (typeof id !== "string")
    throw invalidOptions("describeApproval takes the `id` of a question.");
  const verdict = await checkCall(parts, { request, options });
  if (verdict.type === "refuse") return undefined;
  return describeQuestion(parts, verdict.call, { id, ttlMs: ttlMs ?? approvalTtlMs });
}

/** The result of a call for its chain: a pending hop, or the end of the chain. */
export type DecidedHop = { readonly type: "call"; readonly pending: PendingHop } | DecidedEnd;

/** The position of a call in its chain: its pending hop, or the framework's id of the model's own call. Rules read `context`. */
export interface CallSite {
  readonly root: PendingHop["root"];
  readonly runId?: string;
  readonly call?: PendingHop["call"];
  readonly seen?: readonly string[];
  readonly key?: string | undefined;
  /** The approval with which the call was made, if a person gave one. */
  readonly approved?: string | undefined;
  readonly context?: unknown;
}

/** Decides what follows from a call or its error, for frameworks that make each hop a separate call and store the pending hop. */
export async function decideHop(
  host: Host,
  outcome: Hop | ToolrailError,
  place: CallSite,
): Promise<DecidedHop> {
  const engine = engineOf(host);
  const isResult = ToolrailError.isInstance(outcome) || isJsonObject(outcome?.result);
  if (!(isResult && isJsonObject(place)))
    throw invalidOptions("decideHop takes a host, a hop or a ToolrailError, and its { root }.");
  const { root, runId: before, call, seen = [], context, ...site } = place;
  if (ToolrailError.isInstance(outcome)) {
    const end = endChain(outcome, call);
    if (before !== undefined) engine.onEnd({ ...end, runId: before, hops: seen.length });
    return end;
  }
  const { runId, callId } = outcome;
  const finish = (end: DecidedEnd) => {
    engine.onEnd({ ...end, runId, hops: seen.length + 1 });
    return end;
  };
  const next = await engine.nextHop(outcome, { before: seen, context });
  if (next.type === "end") return finish(next);
  const defect = engine.checkArguments(toRequest(next.call));
  if (defect) {
    const { origin } = next.call;
    const name = toolId(toRef(next.call));
    return finish(endChain(origin.forUserAlone ? withoutWords(defect, name) : defect, next.call));
  }
  // What follows from a call that is made once is made once as well.
  const key = site.key ?? questionId(site.approved);
  const pending: PendingHop = {
    id: hopId(callId),
    runId,
    root,
    ...(key !== undefined && { key: key + HOP_KEY }),
    call: next.call,
    // A stored hop holds no arguments twice.
    seen: [...seen, sha256(callText(outcome))],
    expiresAtMs: engine.now() + engine.approvalTtlMs,
  };
  return { type: "call", pending };
}

/**
 * Returns the `modelView` of a result, with long results kept. If nothing shows results to the user, it warns, and nothing counts as
 * shown. It also warns of a chain that waits if nothing receives it.
 */
export async function viewWithListeners(
  source: Hop | ChainResult,
  options: CallListeners & Pick<KeepOptions, "conversation"> & { host: Host },
): Promise<ModelView> {
  const { host, onHop, onResult, conversation } = Object(options) as typeof options;
  const engine = engineOf(host);
  const isShown = engine.hasListener || Boolean(onHop ?? onResult);
  if (!isShown && isForUserInPart(source)) engine.warn("nobody-listens");
  const isCutOff = "hops" in source && isWaiting(source) && source.hops.length > 0;
  if (isCutOff && !onResult) engine.warn("cannot-wait", IN_ONE_CALL);
  const short = await host.keep(source, { conversation });
  return modelView(short, { isShown, tools: host.tools });
}

const IN_ONE_CALL =
  "it is a later call of a chain inside one tool call. Give the tools `onResult` and pass its chain to `host.resume`, or make each call of the chain a step (AI SDK: `withChaining`) or a turn (LangGraph: `chainMiddleware`).";

/** A finished call without its content, as a user interface may show it. */
export interface HopSummary {
  /** `server.tool`. */
  readonly tool: string;
  /** False if the result has `isError`. */
  readonly ok: boolean;
  readonly durationMs: number;
  /** True if the person who approved the call changed its arguments. */
  readonly changed?: true;
}

/** Summarises a finished call, without its content. */
export function toHopSummary(hop: Hop): HopSummary {
  const { result, durationMs, changedFrom } = hop;
  const changed = changedFrom && ({ changed: true } as const);
  return { tool: toolId(toRef(hop)), ok: result.isError !== true, durationMs, ...changed };
}
