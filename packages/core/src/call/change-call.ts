import { canonicalJson, type JsonObject } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import { toRef } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { checkApproval, toBinding } from "./binding.ts";
import { toStageError } from "./call-error.ts";
import { needsApproval } from "./needs-approval.ts";
import type { HostParts } from "./passage.ts";
import { transformed } from "./transform-arguments.ts";
import { checkArguments } from "./value-checks.ts";

type CallOwner = Pick<CallOptions, "conversation" | "context" | "signal">;

export interface DecidedCall extends CallOwner {
  readonly decision: Decision;
}

/** The call that a person has decided on. `error` is set if it cannot be made with their arguments. With `needs-approval` it still waits. */
export interface ChangedCall {
  readonly call: PendingCall;
  readonly error?: ToolrailError;
}

/** Applies a person's decision to a pending call: if they want other arguments, the call gets these. */
export async function decideCall(
  host: HostParts,
  { problem: _, ...pending }: PendingCall,
  { decision, ...owner }: DecidedCall,
): Promise<ChangedCall> {
  if (typeof decision !== "object" || !("approve" in decision)) return { call: pending };
  return changeCall(host, pending, { ...owner, ...decision.approve });
}

/**
 * Gives a pending call the arguments of the person who approves it, and their approval of these. It replaces the approval of the
 * original call, which is checked first, and counts for the same one call. If the arguments cannot be sent, the call still waits
 * unchanged, with the `problem`.
 */
export async function changeCall(
  host: HostParts,
  pending: PendingCall,
  change: CallOwner & { readonly arguments: JsonObject },
): Promise<ChangedCall> {
  const { conversation, context, signal } = change;
  const { binding: given, lostAttempts, origin, arguments: before, changedFrom } = pending;
  const name = toolId(toRef(pending));
  try {
    if (given === undefined)
      throw new ToolrailError("denied", `${name} was not called: ${UNAPPROVED}`);
    await host.wake(toRef(pending), signal);
    await host.settle(pending.server);
    const tool = host.find(toRef(pending));
    const about = { callId: "", runId: "", tool, origin, conversation, context, signal };
    const asked = { ...about, arguments: before, ...(changedFrom && { changedFrom }) };
    const shown = { ...asked, ...(await transformed(host.hooks, asked)) };
    const { slot } = await checkApproval(host, shown, { approved: given, lostAttempts });
    const made = await toUsable(host, { ...about, arguments: change.arguments });
    if (typeof made === "string") {
      const { reason } = pending;
      const why = reason === undefined ? {} : { reason };
      const error = needsApproval({ call: shown, binding: given, problem: made, ...why });
      return { call: { ...pending, problem: made }, error };
    }
    if (canonicalJson(change.arguments) === canonicalJson(before)) return { call: pending };
    const changed = { ...made, changedFrom: changedFrom ?? before };
    const binding = await toBinding(host, changed, { slot, lostAttempts });
    const { references: _, ...rest } = pending;
    const { references } = made;
    const own = { arguments: change.arguments, changedFrom: changed.changedFrom, binding };
    return { call: { ...rest, ...own, ...(references && { references }) } };
  } catch (cause) {
    return { call: pending, error: toStageError(cause, { name, signal }) };
  }
}

/** Prepares the call for sending. Returns a text if its arguments cannot be sent. */
async function toUsable(host: HostParts, call: ToolCall): Promise<ToolCall | string> {
  try {
    const made = { ...call, ...(await transformed(host.hooks, call)) };
    await checkArguments(host, made);
    return made;
  } catch (cause) {
    const isTheirs =
      ToolrailError.isInstance(cause, "invalid-arguments") ||
      ToolrailError.isInstance(cause, "reference-lost");
    if (isTheirs) return cause.message;
    throw cause;
  }
}

const UNAPPROVED =
  "a person changed its arguments, but this host knows of no approval of the call.";
