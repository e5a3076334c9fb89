import { isJsonObject, type JsonObject, sha256 } from "@toolrail/json";
import { withoutWords } from "../call/call-error.ts";
import { ToolrailError } from "../errors.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { type Hop, isCall, toRef } from "../result/hop.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import { type ToolRef, toolId } from "../types/tool.ts";
import { callText, HOP_KEY, toRequest } from "./call-text.ts";
import { type EndedChain, type EndOfChain, endOfChain } from "./chain-end.ts";
import type { DecideNext } from "./next-hop.ts";

/** A hop that a result asked for and that is not made yet. Plain JSON, which the framework stores. */
export interface PendingHop {
  /** The id of the call in the framework: see `hopId`. */
  readonly id: string;
  readonly runId: string;
  /** The framework's id of the model's call that began the chain. */
  readonly root: string;
  /** The key of the hop, the same in every worker that makes it. */
  readonly key: string;
  readonly call: PendingCall;
  /** A hash of each earlier call of the chain. */
  readonly seen: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

/** The result of a call for its chain: a pending hop, or the end of the chain. */
export type DecidedHop = { readonly type: "call"; readonly pending: PendingHop } | EndOfChain;

/** The position of a call in its chain: its pending hop, or the framework's id of the model's own call. Rules read `context`. */
export interface CallSite
  extends Pick<PendingHop, "root">,
    Partial<Pick<PendingHop, "runId" | "call" | "seen">> {
  readonly key?: string | undefined;
  /** The approval with which the call was made, if a person gave one. */
  readonly approved?: string | undefined;
  readonly context?: unknown;
}

export interface DecideParts {
  readonly nextHop: DecideNext;
  checkArguments(request: CallRequest): ToolrailError | undefined;
  readonly pendingHopTtlMs: number;
  /** Builds the key of what follows from a call: see `keyAfter`. */
  keyAfter(call: Pick<CallOptions, "key" | "approved">): string | undefined;
  now(): number;
  onEnd(chain: EndedChain): void;
}

/** Decides what follows from a call or its error, for frameworks that make each hop a separate call and store the pending hop. */
export async function decideHop(
  parts: DecideParts,
  outcome: Hop | ToolrailError,
  { root, runId: before, call, seen = [], context, ...site }: CallSite,
): Promise<DecidedHop> {
  if (ToolrailError.isInstance(outcome)) {
    const end = endOfChain(outcome, call);
    if (before !== undefined) parts.onEnd({ ...end, runId: before, hops: seen.length });
    return end;
  }
  const { runId, callId } = outcome;
  const finish = (end: EndOfChain) => {
    parts.onEnd({ ...end, runId, hops: seen.length + 1 });
    return end;
  };
  const next = await parts.nextHop(outcome, seen, { context });
  if (next.type === "end") return finish(next);
  const defect = parts.checkArguments(toRequest(next.call));
  if (defect) {
    const { origin } = next.call;
    const name = toolId(toRef(next.call));
    return finish(endOfChain(origin.forUserAlone ? withoutWords(defect, name) : defect, next.call));
  }
  const pending: PendingHop = {
    id: hopId(callId),
    runId,
    root,
    key: (parts.keyAfter(site) ?? runId) + HOP_KEY,
    call: next.call,
    // A stored hop holds no arguments twice.
    seen: [...seen, await sha256(callText(outcome))],
    expiresAtMs: parts.now() + parts.pendingHopTtlMs,
  };
  return { type: "call", pending };
}

const PREFIX = "hop-";

/** Builds the id of the hop that follows from a call. It has 40 characters if ids are UUIDs, which providers allow. */
export function hopId(callId: string): string {
  return PREFIX + callId;
}

/** True if only a hop may have this id. A call with such an id never runs without its pending hop. */
export function isHopId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** True if a value from a store or a state is a pending hop. */
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

/** Returns why a call is not this pending hop, or `undefined` if it is and may be made now. */
export function pendingHopProblem(
  pending: PendingHop | undefined,
  call: ToolRef & { readonly arguments: JsonObject; readonly nowMs: number },
): ToolrailError | undefined {
  const refuse = (why: string) =>
    new ToolrailError("unknown-hop", `${toolId(call)} was not called now: ${why}.`);
  if (!pending || pending.expiresAtMs <= call.nowMs) return refuse(NOT_PENDING);
  if (callText(pending.call) === callText({ ...call, tool: call.name })) return undefined;
  return refuse("the result before it asked for another call");
}

const NOT_PENDING =
  "no result asks for it any more. It may have been called before, has expired, was never asked for, was dropped since the memory for " +
  "waiting hops was full (limits.maxConversationBytes, limits.maxStoreBytes), or was asked for in another process: give all " +
  "hosts the same `store` if chains continue across processes";
