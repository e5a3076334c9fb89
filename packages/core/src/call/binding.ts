import { canonicalJson, sha256 } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Approval, CheckedCall } from "../types/call-options.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { readSlot } from "./approval.ts";
import { toSlot } from "./call-key.ts";
import { callHash } from "./definition.ts";
import type { HostParts, Passage } from "./passage.ts";

type Approved = Pick<ToolCall, "tool" | "arguments" | "changedFrom" | "conversation" | "context">;

/** Builds the text that an approval is given for: one call, with this definition and these arguments, in this conversation, for this user. */
export async function toBinding(
  parts: Pick<HostParts, "userOf">,
  call: Approved,
  approval: Omit<Approval, "binding">,
): Promise<string> {
  return [approval.slot, await callHash(call), await ownerHash(parts, call, approval)].join(".");
}

/** Reads what an approval was given for. Rejects with `tool-changed`, or with `denied` if it is not for this user or conversation. */
export async function checkApproval(
  parts: Pick<HostParts, "userOf">,
  call: Approved,
  { approved, lostAttempts }: { readonly approved: string } & Pick<Approval, "lostAttempts">,
): Promise<Approval> {
  const slot = readSlot(approved);
  const [hash, owner] = slot === undefined ? [] : approved.slice(slot.length + 1).split(".");
  if (slot === undefined || hash !== (await callHash(call))) throw toolChanged(call.tool, OTHER);
  const approval = { slot, lostAttempts, binding: approved };
  if (owner === (await ownerHash(parts, call, approval))) return approval;
  const message = `${call.tool.id} was not called: its approval was given in another conversation, for another user, or before its outcome became unknown. Ask for approval again.`;
  throw new ToolrailError("denied", message);
}

export function toolChanged({ id }: Tool, why: string): ToolrailError {
  return new ToolrailError("tool-changed", `${id} was not called: ${why}. Ask for approval again.`);
}

const OTHER = "a person approved a different definition of it, or other arguments";

async function ownerHash(
  { userOf }: Pick<HostParts, "userOf">,
  { conversation, context }: Approved,
  { slot, lostAttempts = 0 }: Omit<Approval, "binding">,
): Promise<string> {
  const user = userOf(context);
  return sha256(canonicalJson([slot, conversation ?? null, user ?? null, lostAttempts]));
}

type Asking = Extract<CheckedCall, { type: "ask" }>;

/** Creates the error of a call that a person must approve before it is made. */
export function needsApproval({
  call,
  binding,
  reason,
  problem,
}: Omit<Asking, "type"> & { readonly problem?: string }): ToolrailError {
  const { references } = call;
  const why = reason === undefined ? "." : `: ${reason}.`;
  const prefix = problem === undefined ? "" : `${problem} `;
  const message = `${prefix}${call.tool.id} needs a person's approval before it is called${why}`;
  const more = { ...(reason !== undefined && { reason }), ...(references && { references }) };
  return new ToolrailError("needs-approval", message, { data: { binding, ...more } });
}

/** Describes a call that a person has to approve, with the binding of that approval. */
export async function describeAsking({ host, call, asks, options }: Passage) {
  const slot = await toSlot(options.key, call);
  const binding = await toBinding(host, call, { slot });
  return { type: "ask", call, binding, ...(asks !== true && { reason: asks as string }) } as const;
}
