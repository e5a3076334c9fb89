import { ToolrailError } from "@toolrail/core";
import { readMark } from "../tools/marks.ts";
import { mapParts } from "../tools/messages.ts";
import { type ToolOutput, toTextOutput } from "../tools/tool-output.ts";
import type { MadeCall } from "../tools/types.ts";
import type { PendingHops, WaitingHop } from "./pending-hops.ts";

/** The decision if there is no answer, or if the user wrote something else instead. */
export const LEFT = { deny: "nobody has answered." };

/** Removes what models do not read: the arguments of hops that are for the user alone. */
export function forModel(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    const isHidden = part.type === "tool-call" && readMark(part).userOnly;
    return [isHidden ? { ...part, input: {} } : part];
  });
}

/** Creates the output of a call that waits. Its result appears later in the same place. */
export function toWaiting(text: string): ToolOutput {
  return { ...toTextOutput(text), placeholder: true };
}

/**
 * Stores the approval of a step of a pipe. The pipe makes the call when it continues, even if the messages no longer
 * have the call of the pipe.
 */
export async function approveStep(
  pendingHops: PendingHops,
  { pending, approval, options: { changes } }: { readonly pending: WaitingHop } & MadeCall,
): Promise<ToolOutput> {
  const { server, tool } = pending.call;
  const message = `${server}.${tool} was not called: nobody has approved it.`;
  if (!approval) throw new ToolrailError("denied", message);
  const decision = changes ? { approve: { arguments: changes } } : "approve";
  await pendingHops.keep({ ...pending, decision });
  return { ...toWaiting(NOT_YET), callId: pending.runId };
}

const NOT_YET =
  "This call has not been made yet: the pipe that waits for it makes it when it continues.";
