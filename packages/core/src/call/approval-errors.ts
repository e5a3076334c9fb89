import { ToolrailError } from "../errors.ts";
import type { CheckedCall } from "../types/call-options.ts";
import type { Tool } from "../types/tool.ts";

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

export function otherUser({ id }: Tool): ToolrailError {
  const why = "it was checked for another user. Check it for this one.";
  return new ToolrailError("denied", `${id} was not called: ${why}`);
}

export function toolChanged(
  tool: Tool,
  why = "its definition has changed since the call was checked",
): ToolrailError {
  return notCalled(tool, { code: "tool-changed", why });
}

export function notCalled(
  { id }: Tool,
  { code, why }: { readonly code: "denied" | "tool-changed"; readonly why: string },
): ToolrailError {
  return new ToolrailError(code, `${id} was not called: ${why}. Ask for approval again.`);
}
