import { isJsonObject, type JsonObject, shorten } from "@toolrail/json";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import type { InputForm, InputRequest, InputResponse } from "../result/input-request.ts";
import { approvalText } from "./approval-text.ts";

/** A call that waits for a person, and the path of the step that makes it. The path is empty if the call is no step. */
export interface WaitingCall {
  readonly path: string;
  readonly pending: PendingCall;
}

const APPROVAL = "approval";

/** The most characters of the arguments that a person is shown. */
const MAX_SHOWN = 2_000;

/** Builds the `inputRequests` (MCP 2026-07-28) of waiting calls: a form for each approval, and the requests of servers. */
export function inputRequestsOf(calls: readonly WaitingCall[]): JsonObject {
  const entries = calls.flatMap((call, index) => {
    const { path, pending } = call;
    return Object.entries(ownRequests(pending)).map(([key, request]) => {
      const message = path === "" ? request.message : `${path}: ${request.message}`;
      const { origin: _, ...asked } = { mode: "form", origin: "", ...request, message };
      return [
        requestKey(call, { index, key }),
        { method: "elicitation/create", params: asked },
      ] as const;
    });
  });
  return Object.fromEntries(entries);
}

/**
 * Reads the decision of a person on each call, by the paths of their steps, from the answers to `inputRequestsOf`. Returns
 * `undefined` if a request has no readable answer: it must be asked again.
 */
export function decisionsOf(
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
function requestKey(
  { path }: WaitingCall,
  { index, key }: { readonly index: number; readonly key: string },
) {
  return path === "" ? key : `${index}/${key}`;
}

function ownRequests(pending: PendingCall): InputRequest["requests"] {
  return pending.inputRequest?.requests ?? { [APPROVAL]: approvalForm(pending) };
}

function approvalForm(pending: PendingCall): InputForm {
  const args = shorten(JSON.stringify(pending.arguments), MAX_SHOWN);
  return {
    message: `${approvalText(pending)}\nArguments: ${args}`,
    requestedSchema: {
      type: "object",
      properties: { approve: { type: "boolean", title: "Approve this call" } },
      required: ["approve"],
    },
  };
}

function toDecision(
  answer: InputResponse | undefined,
): Exclude<Decision, { readonly input: unknown }> {
  const isApproved = answer?.action === "accept" && answer.content?.approve === true;
  return isApproved ? "approve" : { deny: "the user did not approve it" };
}

function toAnswer(response: unknown, mode: "form" | "url" | undefined): InputResponse | undefined {
  const { action, content } = isJsonObject(response) ? response : ({} as JsonObject);
  if (action === "accept" && mode === "url") return { action };
  if (action === "accept") return isJsonObject(content) ? { action, content } : undefined;
  return action === "decline" || action === "cancel" ? { action } : undefined;
}
