import {
  type CallOptions,
  type Host,
  type InputRequest,
  type InputResponses,
  type PendingCall,
  ToolrailError,
} from "@toolrail/core";
import { engineOf, hopId, type PendingHop } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/json";
import type { ToolCallPart } from "../answer-model.ts";
import { toInputSchema } from "../sdk-internals.ts";
import { toMark } from "../tools/marks.ts";
import { asRecord, type MessagePart, mapParts } from "../tools/messages.ts";
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
  const { server, name: tool } = request.tool;
  const origin = { by: "model", toolCallId: root } as const;
  const base = before ?? {
    root,
    key: options.key ?? runId,
    call: { server, tool, arguments: request.arguments, origin },
    seen: [],
  };
  const expiresAtMs = now() + pendingHopTtlMs;
  const { changes } = options;
  const { arguments: args, changedFrom: first = args }: PendingCall = base.call;
  const changed = changes && { arguments: changes, changedFrom: first };
  const asked = { ...base.call, ...changed, inputRequest };
  return {
    ...base,
    id: hopId(inputRequest.id),
    runId,
    call: asked,
    expiresAtMs,
    decision: undefined,
  };
}

/** The name of the tool whose calls a page answers. It has no `execute`, so that the run ends with such a call. */
export const ASK_USER = "ask_user";

export const askUser = { type: "dynamic", inputSchema: toInputSchema({ type: "object" }) } as const;

const askId = ({ id }: InputRequest) => `ask-${id}`;

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

interface ReadTurn {
  readonly begun: ReadonlySet<unknown>;
  readonly results: readonly MessagePart[];
}

/** The decision if there is no answer, or if the user wrote something else instead. */
export const LEFT = { deny: "nobody has answered." };

/**
 * Finds the calls to make for a pending hop: for a pipe, its steps that no page has shown yet, or else the hop
 * itself. Returns `undefined` if there is no answer. Decisions in the messages are stored.
 */
export async function openWaiting(
  pendingHops: PendingHops,
  { pending, ...turn }: ReadTurn & { readonly pending: WaitingHop },
): Promise<readonly WaitingHop[] | undefined> {
  const settle = async (waiting: WaitingHop): Promise<WaitingHop> => {
    const decision = waiting.decision ?? readDecision(waiting, turn);
    const settled = { ...waiting, decision };
    if (decision && !waiting.decision) await pendingHops.keep(settled);
    return settled;
  };
  const found = await Promise.all(
    Object.values(pending.asks ?? {}).map((id) => pendingHops.find(id)),
  );
  const steps = await Promise.all(found.flatMap((step) => (step ? settle(step) : [])));
  const open = steps.filter(({ decision }) => !decision);
  if (open.length > 0) return open;
  const settled = await settle(pending);
  const { decision } = settled;
  return typeof decision === "object" && "deny" in decision ? undefined : [settled];
}

/**
 * Reads the decision on a call from the messages, or `undefined` if no page has shown the call yet. Approvals are
 * stored by the check of the call, and not read here. An answer that is no object cancels the input request.
 */
function readDecision(
  { id, call: { inputRequest } }: WaitingHop,
  { begun, results }: ReadTurn,
): WaitingHop["decision"] {
  const shown = inputRequest ? askId(inputRequest) : id;
  const result = results.findLast(({ toolCallId }) => toolCallId === shown);
  if (!result) return begun.has(shown) ? LEFT : undefined;
  const { type, value, reason = "refused." } = asRecord(result.output);
  if (!inputRequest) return type === "execution-denied" ? { deny: String(reason) } : LEFT;
  if (type === "json" && isJsonObject(value)) return { input: value as InputResponses }; // The host checks it.
  const cancelled = Object.keys(inputRequest.requests).map((key) => [key, { action: "cancel" }]);
  return { input: Object.fromEntries(cancelled) };
}

/** Removes input requests and their answers from the messages for the model. */
export function withoutInputRequests(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    const isInputRequest = part.toolName === ASK_USER && String(part.toolCallId).startsWith("ask-");
    return isInputRequest ? [] : [part];
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
