import { plainLine } from "../json/plain-text.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { toRef } from "../result/hop.ts";
import { toolId } from "../types/tool.ts";

/**
 * Describes, besides the arguments, what a person is asked to approve: the tool, the reason, why their own arguments could not
 * be sent, and the results behind the addresses in its arguments. Each takes one line, so that no text of a server looks like another.
 */
export function approvalText(pending: PendingCall): string {
  const { reason, references = [], problem = [] } = pending;
  const id = toolId(toRef(pending));
  const why = reason === undefined ? "." : `: ${reason}.`;
  const request = `${id} needs a person's approval before it is called${why}`;
  const inserted = references.map(({ path, address, preview }) => {
    return `${path}: ${address} stands for: ${preview}`;
  });
  return [request, ...[problem].flat(), ...inserted].map(plainLine).join("\n");
}
