import {
  type CallOptions,
  type Host,
  type InputRequest,
  type PendingCall,
  ToolrailError,
} from "@toolrail/core";
import { hopId, type PendingHop } from "@toolrail/core/adapter";
import { engineOf } from "@toolrail/core/plugin";
import type { ToolCallPart } from "../answer-model.ts";
import { toInputSchema } from "../sdk-internals.ts";
import { readMark, toMark } from "../tools/marks.ts";
import { mapParts } from "../tools/messages.ts";
import { type ToolOutput, toTextOutput } from "../tools/tool-output.ts";
import type { SdkCall } from "../tools/types.ts";
import type { PendingHops, WaitingHop } from "./pending-hops.ts";

/** Creates the pending hop of a call that runs again when the user has answered. It keeps the key of the call. */
export function toPendingInput(
  inputRequest: InputRequest,
  waiting: { host: Host; call: SdkCall; runId: string; before: PendingHop | undefined },
): WaitingHop {
  const { host, call, runId, before } = waiting;
  const { pendingHopTtlMs, now } = engineOf(host);
  const { toolCallId: root, request, options } = call;
  const { key = runId, changes } = options;
  const { server, name: tool } = request.tool;
  const origin = { by: "model", toolCallId: root } as const;
  const written = { server, tool, arguments: request.arguments, origin };
  const base = before ?? { root, key, call: written, seen: [] };
  const { arguments: args, changedFrom = args }: PendingCall = base.call;
  const changed = changes && { arguments: changes, changedFrom };
  return {
    ...base,
    id: hopId(inputRequest.id),
    runId,
    call: { ...base.call, ...changed, inputRequest },
    expiresAtMs: now() + pendingHopTtlMs,
    decision: undefined,
  };
}

/** The name of the tool whose calls a page answers. It has no `execute`, so that the run ends with such a call. */
export const ASK_USER = "ask_user";

export const askUser = { type: "dynamic", inputSchema: toInputSchema({ type: "object" }) } as const;

/** Builds the id of the call that a page answers. */
export const askId = ({ id }: InputRequest) => `ask-${id}`;

export function toAskCall({ root, call }: PendingHop, inputRequest: InputRequest): ToolCallPart {
  const { id: _, ...asked } = inputRequest;
  return {
    type: "tool-call",
    toolCallId: askId(inputRequest),
    toolName: ASK_USER,
    input: JSON.stringify({ server: call.server, tool: call.tool, ...asked }),
    providerMetadata: toMark({ root }),
  };
}

/** The decision if there is no answer, or if the user wrote something else instead. */
export const LEFT = { deny: "nobody has answered." };

/** Removes what models do not read: input requests with their answers, and the arguments of hops that are for the user alone. */
export function forModel(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    if (part.toolName === ASK_USER && String(part.toolCallId).startsWith("ask-")) return [];
    const isHidden = part.type === "tool-call" && readMark(part).userOnly;
    return [isHidden ? { ...part, input: {} } : part];
  });
}

/** Creates the output of a call that waits. Its result appears later in the same place. */
export function toWaiting(text: string): ToolOutput {
  return { ...toTextOutput(text), placeholder: true };
}

export const WAITING =
  "The tool has asked the user for input, and does not continue before the user answers.";

/**
 * Stores the approval of a step of a pipe. The pipe makes the call when it continues, even if the messages no longer
 * have the call of the pipe.
 */
export async function approveStep(
  pendingHops: PendingHops,
  {
    pending,
    approved,
    changes,
  }: { readonly pending: WaitingHop } & Pick<CallOptions, "approved" | "changes">,
): Promise<ToolOutput> {
  const { server, tool } = pending.call;
  const message = `${server}.${tool} was not called: nobody has approved it.`;
  if (approved === undefined) throw new ToolrailError("denied", message);
  const decision = changes ? { approve: { arguments: changes } } : "approve";
  await pendingHops.keep({ ...pending, decision });
  return { ...toWaiting(NOT_YET), callId: pending.runId };
}

const NOT_YET =
  "This call has not been made yet: the pipe that waits for it makes it when it continues.";
