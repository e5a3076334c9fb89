import { ToolrailError } from "../errors.ts";
import type { CheckedCall } from "../types/call-options.ts";

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
