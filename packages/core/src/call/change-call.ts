import { canonicalJson, type JsonObject } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import { toRef } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { needsApproval } from "./approval-errors.ts";
import { checkApproval, toBinding } from "./binding.ts";
import { toStageError } from "./call-error.ts";
import { transformByPlugins } from "./hooks.ts";
import type { HostParts, Passage } from "./passage.ts";
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
async function changeCall(
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
    const shown = { ...asked, ...(await transformByPlugins(host.hooks, asked)) };
    const { slot, expiresAtMs } = await checkApproval(host, shown, {
      approved: given,
      lostAttempts,
    });
    const made = await toUsable(host, { ...about, arguments: change.arguments });
    if (typeof made === "string") {
      const { reason } = pending;
      const why = reason === undefined ? {} : { reason };
      const error = needsApproval({ call: shown, binding: given, problem: made, ...why });
      return { call: { ...pending, problem: made }, error };
    }
    if (canonicalJson(change.arguments) === canonicalJson(before)) return { call: pending };
    const changed = { ...made, changedFrom: changedFrom ?? before };
    const binding = await toBinding(host, changed, { slot, lostAttempts, expiresAtMs });
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
    const made = { ...call, ...(await transformByPlugins(host.hooks, call)) };
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

/** Replaces the arguments by those of the person who approved the call, and takes their approval of these. */
export async function takeChanges(passage: Passage, changes: JsonObject): Promise<void> {
  const { host, call, approved } = passage;
  const { approved: binding, lostAttempts } = approved;
  const { tool, arguments: before, origin, changedFrom: first } = call;
  const about = { server: tool.server, tool: tool.name, arguments: before, origin };
  const given = { ...(binding && { binding }), ...(lostAttempts && { lostAttempts }) };
  const asked = { ...about, ...given, ...(first && { changedFrom: first }) };
  const { call: made, error } = await changeCall(host, asked, { ...call, arguments: changes });
  if (error) throw error;
  const { arguments: args, changedFrom } = made;
  Object.assign(call, { arguments: args }, changedFrom && { changedFrom });
  passage.approved = { approved: made.binding, lostAttempts };
}
