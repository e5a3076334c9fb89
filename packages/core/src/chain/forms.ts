import { isJsonObject, type JsonObject, shorten } from "@toolrail/json";
import type { Decision, PendingCall } from "../result/chain-result.ts";
import type { InputForm, InputRequest, InputResponse } from "../result/input-request.ts";
import { approvalText } from "./approval-text.ts";

/** A call that waits for a person, and the path of the step that makes it; empty for a call that is no step. */
export interface WaitingCall {
  readonly path: string;
  readonly pending: PendingCall;
}

/** The key of the form that asks for an approval. */
const APPROVAL = "approval";

/** The most characters of the arguments that a person is shown. */
const MAX_SHOWN = 2_000;

/** What waiting calls ask of a person, as `inputRequests` of MCP 2026-07-28: a form for an approval, or what a server asks. */
export function inputRequestsOf(calls: readonly WaitingCall[]): JsonObject {
  const entries = calls.flatMap((call, at) => {
    const { path, pending } = call;
    return Object.entries(ownRequests(pending)).map(([key, request]) => {
      const message = path === "" ? request.message : `${path}: ${request.message}`;
      const { origin: _, ...asked } = { mode: "form", origin: "", ...request, message };
      return [keyOf(call, { at, key }), { method: "elicitation/create", params: asked }] as const;
    });
  });
  return Object.fromEntries(entries);
}

/**
 * Reads what a person said of each call, by the paths of their steps, from the answers to `inputRequestsOf`. `undefined` if a form has
 * no answer that can be read: it is to be asked again.
 */
export function decisionsOf(
  calls: readonly WaitingCall[],
  responses: unknown,
): Record<string, Decision> | undefined {
  const given = isJsonObject(responses) ? responses : {};
  const decisions: Record<string, Decision> = Object.create(null);
  for (const [at, call] of calls.entries()) {
    const { path, pending } = call;
    const input: Record<string, InputResponse> = Object.create(null);
    for (const [key, { mode }] of Object.entries(ownRequests(pending))) {
      const asked = keyOf(call, { at, key });
      const answer = Object.hasOwn(given, asked) ? toAnswer(given[asked], mode) : undefined;
      if (answer === undefined) return undefined;
      input[key] = answer;
    }
    decisions[path] = pending.inputRequest ? { input } : toDecision(input[APPROVAL]);
  }
  return decisions;
}

/** The forms of one call: those of a step are told apart by its number, since a server may use any key. */
function keyOf({ path }: WaitingCall, { at, key }: { readonly at: number; readonly key: string }) {
  return path === "" ? key : `${at}/${key}`;
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
