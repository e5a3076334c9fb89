import { isJsonObject, type JsonObject, plainLine, shorten } from "@toolrail/json";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import { toRef } from "../result/hop.ts";
import type { InputForm, InputPage, InputRequest, InputResponse } from "../result/input-request.ts";
import { toolId } from "../types/tool.ts";

/** A call that waits for a person, and the path of the step that makes it. The path is empty if the call is no step. */
export interface WaitingCall {
  readonly path: string;
  readonly pending: PendingCall;
}

const APPROVAL = "approval";

/** The most characters of the arguments that a person is shown. */
const MAX_SHOWN = 2_000;

/**
 * Describes, besides the arguments, what a person is asked to approve: the tool, the reason, whether the call may have been made
 * before, why their own arguments could not be sent, and the results behind the addresses in its arguments. Each takes one line,
 * so that no text of a server looks like another.
 */
export function approvalText(pending: PendingCall): string {
  const { reason, lostAttempts, references = [], problem = [] } = pending;
  const id = toolId(toRef(pending));
  const why = reason === undefined ? "." : `: ${reason}.`;
  const request =
    lostAttempts === undefined
      ? `${id} needs a person's approval before it is called${why}`
      : `${id} was called before, and it is unknown whether that took effect. Approve to call it again.`;
  const inserted = references.map(({ path, address, server, tool, preview }) => {
    return `${path}: ${address} of ${server}.${tool} begins: ${preview}`;
  });
  return [request, ...[problem].flat(), ...inserted].map(plainLine).join("\n");
}

/** Builds the `inputRequests` (MCP 2026-07-28) of waiting calls: a form for each approval, and the requests of servers. */
export function buildInputRequests(calls: readonly WaitingCall[]): JsonObject {
  const entries = calls.flatMap((call, index) => {
    const { path, pending } = call;
    return Object.entries(ownRequests(pending)).map(([key, request]) => {
      const message = `${path === "" ? "" : `${path}: `}${shownMessage(pending, request)}`;
      const { origin: _, ...params } = { mode: "form", origin: "", ...request, message };
      return [requestKey(call, { index, key }), { method: "elicitation/create", params }] as const;
    });
  });
  return Object.fromEntries(entries);
}

/**
 * Reads the decision of a person on each call, by the paths of their steps, from the answers to `buildInputRequests`. Returns
 * `undefined` if a request has no readable answer: it must be asked again.
 */
export function readDecisions(
  calls: readonly WaitingCall[],
  responses: unknown,
): Record<string, Decision> | undefined {
  const given = isJsonObject(responses) ? responses : {};
  const decisions: Record<string, Decision> = Object.create(null);
  for (const [index, call] of calls.entries()) {
    const { path, pending } = call;
    const input: Record<string, InputResponse> = Object.create(null);
    for (const [key, { mode }] of Object.entries(ownRequests(pending))) {
      const asked = requestKey(call, { index, key });
      const answer = Object.hasOwn(given, asked) ? toAnswer(given[asked], mode) : undefined;
      if (answer === undefined) return undefined;
      input[key] = answer;
    }
    decisions[path] = pending.inputRequest ? { input } : toDecision(input[APPROVAL]);
  }
  return decisions;
}

/** Builds the key of a form. It holds the number of the step, since a server may use any key. */
function requestKey({ path }: WaitingCall, { index, key }: { index: number; key: string }) {
  return path === "" ? key : `${index}/${key}`;
}

function ownRequests(pending: PendingCall): InputRequest["requests"] {
  return pending.inputRequest?.requests ?? { [APPROVAL]: approvalForm(pending) };
}

/** Returns the text of a request. What a server wrote follows the name of its tool, so that it cannot speak for the host. */
function shownMessage(
  { inputRequest, ...call }: PendingCall,
  { message }: InputForm | InputPage,
): string {
  if (!inputRequest) return message;
  const { problem } = inputRequest;
  const why = problem === undefined ? "" : `\nThe answer before was not accepted: ${problem}.`;
  return `${toolId(toRef(call))} asks: ${message}${why}`;
}

function approvalForm(pending: PendingCall): InputForm {
  const args = JSON.stringify(pending.arguments);
  const { length } = args;
  const label =
    length > MAX_SHOWN
      ? `Only the first ${MAX_SHOWN} of the ${length} characters of its arguments are shown here`
      : "Arguments";
  return {
    message: `${approvalText(pending)}\n${label}: ${plainLine(shorten(args, MAX_SHOWN))}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Approve this call" } },
      required: ["approve"],
    },
  };
}

function toDecision(answer: InputResponse | undefined): "approve" | { readonly deny: string } {
  const isApproved = answer?.action === "accept" && answer.content?.approve === true;
  return isApproved ? "approve" : { deny: "the user did not approve it" };
}

function toAnswer(response: unknown, mode: "form" | "url" | undefined): InputResponse | undefined {
  const { action, content } = isJsonObject(response) ? response : ({} as JsonObject);
  if (action === "accept" && mode === "url") return { action };
  if (action === "accept") return isJsonObject(content) ? { action, content } : undefined;
  return action === "decline" || action === "cancel" ? { action } : undefined;
}
