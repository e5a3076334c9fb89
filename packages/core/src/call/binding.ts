import { canonicalJson, sha256 } from "@toolrail/json";
import type { ToolrailError } from "../errors.ts";
import type { Approval } from "../types/call-options.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { FOR_GOOD, readBinding } from "./approval.ts";
import { needsApproval, notCalled, toolChanged } from "./approval-errors.ts";
import { toSlot } from "./call-key.ts";
import { callHash } from "./definition.ts";
import type { HostParts, Passage } from "./passage.ts";

type Approved = Pick<ToolCall, "tool" | "arguments" | "changedFrom" | "conversation" | "context">;

type ApprovalParts = Pick<HostParts, "userOf" | "now" | "limits">;

/**
 * Builds the text that an approval is given for: one call, with this definition and these arguments, in this conversation, for this
 * user. It expires before the store forgets that the call was made.
 */
export async function toBinding(
  parts: ApprovalParts,
  call: Approved,
  approval: Omit<Approval, "binding" | "expiresAtMs"> & Partial<Pick<Approval, "expiresAtMs">>,
): Promise<string> {
  const { slot } = approval;
  const lastMs = Math.ceil(parts.now()) + parts.limits.pendingHopTtlMs;
  const isForGood = slot.startsWith(FOR_GOOD);
  const { expiresAtMs = isForGood ? Number.MAX_SAFE_INTEGER : lastMs } = approval;
  const owner = await ownerHash(parts, call, approval);
  return [slot, expiresAtMs, await callHash(call), owner].join(".");
}

/**
 * Reads what an approval was given for. Rejects with `tool-changed`, or with `denied` if it is not for this user or conversation, or
 * has expired.
 */
export async function checkApproval(
  parts: ApprovalParts,
  call: Approved,
  { approved, lostAttempts }: { readonly approved: string } & Pick<Approval, "lostAttempts">,
): Promise<Approval> {
  const { slot, expiresAtMs, hash, owner } = readBinding(approved);
  if (slot === undefined || hash !== (await callHash(call))) throw toolChanged(call.tool, OTHER);
  const approval = { slot, lostAttempts, expiresAtMs, binding: approved };
  const isTheirs = owner === (await ownerHash(parts, call, approval));
  if (isTheirs && parts.now() < expiresAtMs) return approval;
  throw notCalled(call.tool, { code: "denied", why: NOT_VALID });
}

const NOT_VALID =
  "its approval was given in another conversation, for another user, before its outcome became unknown, or over limits.pendingHopTtlMs ago";

const OTHER = "a person approved a different definition of it, or other arguments";

export async function ownerHash(
  { userOf }: Pick<HostParts, "userOf">,
  { conversation, context }: Pick<Approved, "conversation" | "context">,
  { slot, lostAttempts = 0 }: Pick<Approval, "slot" | "lostAttempts">,
): Promise<string> {
  const user = userOf(context);
  return sha256(canonicalJson([slot, conversation ?? null, user ?? null, lostAttempts]));
}

/** Describes a call that a person has to approve, with the binding of that approval. */
export async function describeAsking({ host, call, asks, options }: Passage) {
  const slot = await toSlot(options.key, call);
  const binding = await toBinding(host, call, { slot });
  return { type: "ask", call, binding, ...(asks !== true && { reason: asks as string }) } as const;
}

/** Creates the error of a call that a person has to approve. */
export async function toAskError(passage: Passage): Promise<ToolrailError> {
  return needsApproval(await describeAsking(passage));
}
