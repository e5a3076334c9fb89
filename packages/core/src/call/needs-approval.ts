import { ToolrailError } from "../errors.ts";
import type { CheckedCall } from "../types/call-options.ts";
import { toBinding } from "./binding.ts";
import { slotAt } from "./call-key.ts";
import type { Passage } from "./passage.ts";

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
export async function toAsking({ host, call, asks, options }: Passage) {
  const slot = await slotAt(options.key, call);
  const binding = await toBinding(host, call, { slot });
  return { type: "ask", call, binding, ...(asks !== true && { reason: asks as string }) } as const;
}
