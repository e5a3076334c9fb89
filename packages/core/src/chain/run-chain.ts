import { questionId } from "../call/approval.ts";
import type { AdapterCallOptions, CallOptions, CallRequest } from "../call/call-options.ts";
import type { HostParts } from "../call/host-parts.ts";
import { makeCall } from "../call/make-call.ts";
import { recordDenial } from "../call/once.ts";
import { toolId } from "../call/tool.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import {
  type ChainResult,
  type Decision,
  type Hop,
  isCall,
  isHop,
  type PendingCall,
  toRef,
} from "../result/hop.ts";
import {
  type ChainSummary,
  callText,
  type DecidedEnd,
  decideNextHop,
  endAtOutput,
  endByError,
  endChain,
  HOP_KEY,
  isWaiting,
  type NextHop,
  toRequest,
} from "./next-hop.ts";

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
  host: HostParts,
  { request, runId, before = [], onHop }: ChainStart,
  options: AdapterCallOptions,
): Promise<ChainResult> {
  const { origin = { by: "application" }, signal, conversation, context, onProgress } = options;
  const { timeoutMs: longestMs = Infinity } = options;
  const startMs = host.now();
  const endMs = startMs + Math.min(longestMs, host.limits.runTimeoutMs);
  const hops = [...before];
  let seen: readonly string[] = before.map(callText);
  let pending: PendingCall | undefined;
  let end: DecidedEnd | undefined;
  host.voice.emit({ type: "chain-started", atMs: startMs, runId, origin });
  try {
    while (!end) {
      const asked = pending
        ? { conversation, context, onProgress, origin: pending.origin }
        : options;
      const timeoutMs = endMs - host.now();
      const how = { ...asked, signal, runId, timeoutMs, key: hopKey(options, hops.length) };
      const step = pending ? toRequest(pending) : request;
      let hop: Hop;
      try {
        hop = await makeCall(host, { request: step, options: how });
      } catch (cause) {
        const error = toToolrailError(cause, "The call failed");
        end = endChain(error, pending ?? describeUnmade(host, { request, origin }));
        break;
      }
      hops.push(hop);
      await onHop?.(hop);
      const next = await decideNextHop(host, hop, { before: seen, context });
      if (options.follow === false) end = endUnfollowed(host, hop, next);
      else if (next.type === "end") end = next;
      else ({ seen, call: pending } = next);
    }
  } finally {
    const { ended, error } = end ?? ({ ended: "aborted" } as const);
    reportEnd(host, { runId, ended, hops: hops.length, ...(error && { error }) });
  }
  const { ended, error, pending: left } = end;
  const result = { runId, hops, ended, ...(error && { error }) };
  return left ? { ...result, pending: isWaiting(end) ? toWaiting(left, options) : left } : result;
}

/** Adds the options that a person's answer need not repeat and cannot change. */
function toWaiting(pending: PendingCall, { key, conversation }: CallOptions): PendingCall {
  const fixed = {
    ...(key !== undefined && { key }),
    ...(conversation !== undefined && { conversation }),
  };
  return { ...fixed, ...pending };
}

/** Ends a chain after a call that is made alone, and tells the listeners what was not followed. */
function endUnfollowed(host: HostParts, { runId, callId, ...hop }: Hop, next: NextHop): DecidedEnd {
  const unmade = next.type === "call" ? next.call : next.pending;
  const tool = unmade && toolId(toRef(unmade));
  if (tool) host.voice.emit({ type: "not-followed", atMs: host.now(), runId, callId, tool });
  return endAtOutput({ runId, callId, ...hop }) ?? endChain();
}

/** Tells the listeners how a chain has ended. */
export function reportEnd(
  { voice, now }: Pick<HostParts, "voice" | "now">,
  { runId, ended, hops, error }: ChainSummary,
): void {
  const code = error && { code: error.code };
  voice.emit({ type: "chain-ended", atMs: now(), runId, ended, hops, ...code });
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
    const { server, name } = host.servers.find(tool);
    return { server, tool: name, arguments: args, origin };
  } catch {
    return undefined; // The error of the call gives the reason.
  }
}

interface Resumed {
  readonly paused: ChainResult;
  readonly decision: Decision;
  readonly onHop?: OnHop | undefined;
}

/** Makes the call that a chain waits for, as a person has decided, and continues the chain. Rejects with `invalid-options` if it cannot be resumed so. */
export async function resumeChain(
  host: HostParts,
  { paused, decision, onHop }: Resumed,
  options: CallOptions,
): Promise<ChainResult> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  const { runId, hops, pending } = paused as ChainResult & { readonly pending: PendingCall };
  const id = toolId(toRef(pending));
  const stated = statedBefore(pending, options);
  const finish = (error: ToolrailError): ChainResult => {
    const end = { runId, ended: endByError(error), error };
    reportEnd(host, { ...end, hops: hops.length });
    return { ...end, hops, pending };
  };
  const refuse = (why: string) => finish(new ToolrailError("denied", `${id} was not ${why}`));
  if (decision !== "approve" && "deny" in decision) {
    try {
      const by = { ...stated, tool: { id } };
      if (!(await recordDenial(host, pending.binding ?? "", by))) return refuse(TOO_LATE);
    } catch (cause) {
      return finish(toToolrailError(cause, "The denial was not recorded"));
    }
    return refuse(`approved: ${decision.deny}`);
  }
  let { origin } = pending;
  const last = hops.at(-1);
  if (last) {
    // The pause may have been long, and others may have changed the stored chain.
    const before = hops.slice(0, -1).map(callText);
    const next = await decideNextHop(host, last, { before, context: stated.context });
    if (next.type === "end" && next.error) return finish(next.error);
    if (next.type === "end" || callText(next.call) !== callText(pending)) {
      return refuse("called: the last result of the chain asks for another call.");
    }
    origin = next.call.origin;
  }
  const changes = decision === "approve" ? undefined : decision.approve.arguments;
  const how = { ...stated, origin, approved: pending.binding, changes };
  return runChain(host, { request: toRequest(pending), runId, before: hops, onHop }, how);
}

const TOO_LATE = "denied: a person had approved it before, so it was called, or is being called.";

/** Returns the options of a resumed chain. Its first options may be left out, and must not change. */
function statedBefore({ key, conversation }: PendingCall, options: CallOptions): CallOptions {
  if (options.conversation !== undefined && options.conversation !== conversation)
    throw begunWith("conversation", conversation);
  if (options.key !== undefined && options.key !== key) throw begunWith("key", key);
  return { ...options, conversation, key };
}

function begunWith(name: string, value: string | undefined): ToolrailError {
  const begun = value === undefined ? `without a \`${name}\`` : `with another \`${name}\``;
  const message = `This chain was begun ${begun}: leave \`${name}\` out when you resume it.`;
  return new ToolrailError("invalid-options", message);
}

/** Returns why a stored chain cannot continue with this decision, or `undefined` if it can. A hop without an earlier result can only be denied. */
export function pausedDefect(chain: unknown, decision: unknown): string | undefined {
  if (!isJsonObject(chain)) return `${ONLY}; this is not a chain.`;
  const { runId, ended, hops, pending } = chain;
  if (ended !== "needs-approval") {
    return `${ONLY}; this one is ${typeof ended === "string" ? quoted(ended) : "of an unknown kind"}.`;
  }
  const given = isJsonObject(decision) ? decision : {};
  const change = isJsonObject(given.approve) && given.deny === undefined ? given.approve : {};
  const continues = decision === "approve" || isJsonObject(change.arguments);
  if (!continues && typeof given.deny !== "string") return DECISION;
  if (typeof runId !== "string") return broken("its runId is not a string");
  if (!Array.isArray(hops) || !hops.every(isHop)) return broken("its hops are not a list of hops");
  if (!isCall(pending)) return broken("its pending call is invalid");
  if (typeof pending.binding !== "string") return broken("its pending call has no binding");
  if (continues && hops.length === 0 && pending.origin.by === "chain") {
    return broken("its pending call follows from a result, but there is no result");
  }
  return undefined;
}

const ONLY = "Only a chain that ended with needs-approval can be resumed";
const DECISION =
  'A decision on a pending call must be "approve", { approve: { arguments } } or { deny: reason }.';

function broken(why: string): string {
  return `This chain cannot be resumed: ${why}. Keep what \`host.run\` returned unchanged, as JSON.`;
}
