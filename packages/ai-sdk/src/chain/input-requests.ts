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

/** The pending hop of a call that is made again when its question is answered, with the key that it has: of a hop, that of `before`. */
export function toPendingInput(
  inputRequest: InputRequest,
  waiting: { host: Host; call: SdkCall; runId: string; before: PendingHop | undefined },
): WaitingHop {
  const { host, call, runId, before } = waiting;
  const { pendingHopTtlMs, now } = engineOf(host);
  const { toolCallId: root, request, options } = call;
  const { server, name: tool } = request.tool;
  const origin = { by: "model", toolCallId: root } as const;
  const at = before ?? {
    root,
    key: options.key ?? runId,
    call: { server, tool, arguments: request.arguments, origin },
    seen: [],
  };
  const expiresAtMs = now() + pendingHopTtlMs;
  const { changes } = options;
  const { arguments: args, changedFrom: first = args }: PendingCall = at.call;
  const changed = changes && { arguments: changes, changedFrom: first };
  const asked = { ...at.call, ...changed, inputRequest };
  return {
    ...at,
    id: hopId(inputRequest.id),
    runId,
    call: asked,
    expiresAtMs,
    decision: undefined,
  };
}

/** The name of the tool whose calls a page answers. Nothing runs it, so that the run ends with such a call. */
export const ASK_USER = "ask_user";

export const askUser = { type: "dynamic", inputSchema: toInputSchema({ type: "object" }) } as const;

const askId = ({ id }: InputRequest) => `ask-${id}`;

/** The call that a page answers. */
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

interface Said {
  readonly begun: ReadonlySet<unknown>;
  readonly results: readonly MessagePart[];
}

/** Nobody has answered, or the person said something else instead. */
export const LEFT = { deny: "nobody has answered." };

/**
 * What is to be done for a call whose server has asked something, or for a pipe: those of its steps that nobody has been
 * shown, or else itself. `undefined` where it was left. What messages say to each is kept.
 */
export async function openWaiting(
  pendingHops: PendingHops,
  { pending, ...said }: Said & { readonly pending: WaitingHop },
): Promise<readonly WaitingHop[] | undefined> {
  const settle = async (waiting: WaitingHop): Promise<WaitingHop> => {
    const decision = waiting.decision ?? readDecision(waiting, said);
    const settled = { ...waiting, decision };
    if (decision && !waiting.decision) await pendingHops.keep(settled);
    return settled;
  };
  const found = await Promise.all(Object.values(pending.asks ?? {}).map(pendingHops.find));
  const steps = await Promise.all(found.flatMap((step) => (step ? settle(step) : [])));
  const open = steps.filter(({ decision }) => !decision);
  if (open.length > 0) return open;
  const settled = await settle(pending);
  const { decision } = settled;
  return typeof decision === "object" && "deny" in decision ? undefined : [settled];
}

/**
 * What messages say to a call that waits; `undefined` where it has not been shown to anybody yet. A yes is not read here:
 * it is kept where the call was checked. An answer that is no object puts the question away.
 */
function readDecision(
  { id, call: { inputRequest } }: WaitingHop,
  { begun, results }: Said,
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

/** The messages as models read them: without what a page was asked and what it said. */
export function withoutInputRequests(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    const isInputRequest = part.toolName === ASK_USER && String(part.toolCallId).startsWith("ask-");
    return isInputRequest ? [] : [part];
  });
}

/** The output of a call that waits: what comes of it later is told in its place. */
export function toWaiting(text: string): ToolOutput {
  return { ...toTextOutput(text), placeholder: true };
}

export const WAITING =
  "The tool asked the user something, and does not continue before there is an answer.";

/**
 * Keeps the yes to a call that waits in a pipe: the pipe makes it when it goes on, also where the messages have lost the call
 * of the pipe itself.
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
