import { isJsonObject, type JsonObject, sha256 } from "@toolrail/json";
import { withoutWords } from "../call/call-error.ts";
import { ToolrailError } from "../errors.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { type Hop, isCall, toRef } from "../result/hop.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import { type ToolRef, toolId } from "../types/tool.ts";
import { type EndedChain, type EndOfChain, endOfChain } from "./chain-end.ts";
import { callText, type DecideNext, HOP, toRequest } from "./next-hop.ts";

/** A hop that a result asked for and that is still to be made. Plain JSON, to be kept by the framework. */
export interface PendingHop {
  /** The id under which the framework knows the call: see `hopId`. */
  readonly id: string;
  readonly runId: string;
  /** The framework's id of the model's call that the chain began with. */
  readonly root: string;
  /** The key of the hop, the same in every worker that takes it. */
  readonly key: string;
  readonly call: PendingCall;
  /** A hash of each call that the chain has made before this one. */
  readonly seen: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** What follows from a call: a pending hop, or the end of the chain. */
export type DecidedHop = { readonly type: "call"; readonly pending: PendingHop } | EndOfChain;

/** Where a call stands: its pending hop, or the framework's id of the model's own call; and who calls, for rules. */
export interface CallSite
  extends Pick<PendingHop, "root">,
    Partial<Pick<PendingHop, "runId" | "call" | "seen">> {
  readonly key?: string | undefined;
  /** The approval with which the call was made, if a person gave one. */
  readonly approved?: string | undefined;
  readonly context?: unknown;
}

/** What deciding needs of a host. */
export interface DecideParts {
  readonly nextHop: DecideNext;
  checkArguments(request: CallRequest): ToolrailError | undefined;
  readonly pendingHopTtlMs: number;
  /** The key of what follows from a call: see `keyAfter`. */
  keyAfter(call: Pick<CallOptions, "key" | "approved">): string | undefined;
  now(): number;
  onEnd(chain: EndedChain): void;
}

/** What follows from a call or its error, for frameworks that make each hop a call of their own and keep its ticket. */
export async function decideHop(
  parts: DecideParts,
  outcome: Hop | ToolrailError,
  { root, runId: before, call, seen = [], context, ...at }: CallSite,
): Promise<DecidedHop> {
  if (ToolrailError.isInstance(outcome)) {
    const end = endOfChain(outcome, call);
    if (before !== undefined) parts.onEnd({ ...end, runId: before, hops: seen.length });
    return end;
  }
  const { runId, callId } = outcome;
  const asked = await parts.nextHop(outcome, seen, { context });
  const problem = asked.type === "call" ? parts.checkArguments(toRequest(asked.call)) : undefined;
  const isHidden = asked.type === "call" && asked.call.origin.forUserAlone;
  const defect = problem && isHidden ? withoutWords(problem, toolId(toRef(asked.call))) : problem;
  const next = asked.type === "call" && defect ? endOfChain(defect, asked.call) : asked;
  if (next.type === "end") {
    parts.onEnd({ ...next, runId, hops: seen.length + 1 });
    return next;
  }
  const pending: PendingHop = {
    id: hopId(callId),
    runId,
    root,
    key: (parts.keyAfter(at) ?? runId) + HOP,
    call: next.call,
    // What is kept over a pause holds no arguments twice.
    seen: [...seen, await sha256(callText(outcome))],
    expiresAtMs: parts.now() + parts.pendingHopTtlMs,
  };
  return { type: "call", pending };
}

const PREFIX = "hop-";

/** The id of the hop that follows from a call: 40 characters where ids are UUIDs, as providers allow. */
export function hopId(callId: string): string {
  return PREFIX + callId;
}

/** True for an id that only a hop may have. A call with such an id never runs without its pending hop. */
export function isHopId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** True for what a store or a state gives back of a pending hop. */
export function isPendingHop(value: unknown): value is PendingHop {
  if (!isJsonObject(value)) return false;
  const { id, runId, root, key, call, seen, expiresAtMs } = value;
  return (
    [id, runId, root, key].every((text) => typeof text === "string") &&
    typeof expiresAtMs === "number" &&
    isCall(call) &&
    Array.isArray(seen)
  );
}

/** Why a call is not this pending hop, or `undefined` where it is and may be made now. */
export function pendingHopProblem(
  pending: PendingHop | undefined,
  call: ToolRef & { readonly arguments: JsonObject; readonly nowMs: number },
): ToolrailError | undefined {
  const refuse = (why: string) =>
    new ToolrailError("unknown-hop", `${toolId(call)} was not called now: ${why}.`);
  if (!pending || pending.expiresAtMs <= call.nowMs) return refuse(NO_TICKET);
  if (callText(pending.call) === callText({ ...call, tool: call.name })) return undefined;
  return refuse("the result before it asked for another call");
}

const NO_TICKET =
  "no result asks for it any more. It may have been called before, has expired, was never asked for, was dropped since the memory for " +
  "waiting hops was full (limits.maxConversationBytes, limits.maxStoreBytes), or was asked for in another process: give all " +
  "hosts the same `store` if chains continue across processes";
