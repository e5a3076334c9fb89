import { questionId } from "../call/approval.ts";
import type { HostParts } from "../call/host-parts.ts";
import { makeCall } from "../call/make-call.ts";
import { startDeadline } from "../call/until-aborted.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import type { ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import { callText, HOP_KEY, toRequest } from "./call-text.ts";
import {
  type ChainSummary,
  type DecidedEnd,
  endAtOutput,
  endChain,
  isWaiting,
} from "./chain-end.ts";
import type { DecideNext } from "./next-hop.ts";

export interface ChainParts {
  readonly host: HostParts;
  readonly nextHop: DecideNext;
  onEnd(chain: ChainSummary): void;
}

interface ChainStart extends Pick<ChainResult, "runId"> {
  readonly request: CallRequest;
  /** The hops of an earlier run of the same chain. */
  readonly before?: readonly Hop[];
  /** Receives each hop. The run waits for the listener, and ends if it throws. */
  readonly onHop?: OnHop | undefined;
}

export type OnHop = (hop: Hop) => void | PromiseLike<void>;

/** Makes a call and every call that follows from it. The run ends when its time is up, even if something still waits. */
export async function runChain(
  parts: ChainParts,
  { request, runId, before = [], onHop }: ChainStart,
  options: CallOptions,
): Promise<ChainResult> {
  const { host } = parts;
  const { origin = { by: "application" }, conversation, context, onProgress } = options;
  const { allowHop, timeoutMs: maxMs = Number.POSITIVE_INFINITY } = options;
  const { signal, wait, end } = startDeadline(options, host.limits);
  const startMs = host.now();
  const endMs = startMs + host.limits.runTimeoutMs;
  const hops = [...before];
  let seen: readonly string[] = before.map(callText);
  let pending: PendingCall | undefined;
  let isOver = false;
  const finish = ({ ended, error, pending: left }: DecidedEnd): ChainResult => {
    isOver = true;
    const why = error && { error };
    parts.onEnd({ runId, ended, hops: hops.length, ...why });
    if (!left) return { runId, hops, ended, ...why };
    /** The options that a person's answer need not repeat and cannot change. */
    const fixed = isWaiting({ ended }) && {
      ...(options.key !== undefined && { key: options.key }),
      ...(conversation !== undefined && { conversation }),
    };
    return { runId, hops, ended, ...why, pending: { ...fixed, ...left } };
  };
  host.emit({ type: "chain-started", atMs: startMs, runId, origin });
  try {
    for (;;) {
      let hop: Hop;
      try {
        const next = pending && {
          ...{ conversation, context, origin: pending.origin },
          ...(onProgress && { onProgress }),
        };
        const timeoutMs = Math.min(maxMs, endMs - host.now());
        const how = { signal, runId, timeoutMs, key: hopKey(options, hops.length) };
        const step = pending ? toRequest(pending) : request;
        hop = await wait(
          makeCall(host, { request: step, options: { ...(next ?? options), ...how } }),
        );
      } catch (cause) {
        const error = toToolrailError(cause, "The chain stopped early");
        return finish(endChain(error, pending ?? describeUnmade(host, { request, origin })));
      }
      hops.push(hop);
      await onHop?.(hop);
      const next = await parts.nextHop(hop, seen, options);
      if (options.follow === false) {
        const unmade = next.type === "call" ? next.call : next.pending;
        const { callId } = hop;
        const tool = unmade && toolId(toRef(unmade));
        if (tool) host.emit({ type: "not-followed", atMs: host.now(), runId, callId, tool });
        return finish(endAtOutput(hop) ?? endChain());
      }
      if (next.type === "end") return finish(next);
      ({ seen, call: pending } = next);
      if (allowHop && !allowHop()) {
        const message = `${toolId(toRef(pending))} was not called: the run has no calls left.`;
        return finish(endChain(new ToolrailError("chain-depth", message), pending));
      }
    }
  } finally {
    end();
    if (!isOver) parts.onEnd({ runId, ended: "aborted", hops: hops.length });
  }
}

/** Returns the key of the call after so many hops. What follows from a call that is made once is made once as well. */
function hopKey(
  { key, approved }: Pick<CallOptions, "key" | "approved">,
  hops: number,
): string | undefined {
  const first = key ?? (hops === 0 ? undefined : questionId(approved));
  return first === undefined ? undefined : first + HOP_KEY.repeat(hops);
}

/** Describes the first call of a chain as one that was not made. Returns `undefined` if there is no such tool. */
function describeUnmade(
  host: HostParts,
  {
    request: { tool, arguments: args = {} },
    origin,
  }: { readonly request: CallRequest } & Pick<PendingCall, "origin">,
): PendingCall | undefined {
  try {
    const { server, name } = host.find(tool);
    return { server, tool: name, arguments: args, origin };
  } catch {
    return undefined; // The error of the call gives the reason.
  }
}
