import type { PendingCall } from "../result/chain-result.ts";
import { toolId } from "../types/tool.ts";

/**
 * Describes, besides the arguments, what a person is asked to approve: the tool, the reason, whether the call may have been made
 * before, why their own arguments could not be sent, and the results behind the addresses in its arguments.
 */
export function approvalText(pending: PendingCall): string {
  const { server, tool, reason, lostAttempts, references = [], problem = [] } = pending;
  const id = toolId({ server, name: tool });
  const why = reason === undefined ? "." : `: ${reason}.`;
  const asked =
    lostAttempts === undefined
      ? `${id} needs a person's approval before it is called${why}`
      : `${id} was called before, and it is unknown whether that took effect. Approve to call it again.`;
  const inserted = references.map(({ path, address, server, tool, preview }) => {
    return `${path}: ${address} of ${server}.${tool} begins: ${preview}`;
  });
  return [asked, ...[problem].flat(), ...inserted].join("\n");
}
