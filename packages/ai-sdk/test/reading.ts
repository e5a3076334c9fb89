import type { Decision } from "@toolrail/core";
import type { ModelMessage } from "ai";
import type { RunResult } from "./runs.ts";

/** The ids of the approvals that messages ask for. */
export function approvalsIn(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.flatMap((part) => (part.type === "tool-approval-request" ? [part.approvalId] : [])),
  );
}

/** A person's answer to all of them. */
export function answerTo(
  messages: readonly ModelMessage[],
  word: boolean | { readonly deny: string },
): ModelMessage {
  const said =
    typeof word === "boolean" ? { approved: word } : { approved: false, reason: word.deny };
  const type = "tool-approval-response";
  return {
    role: "tool",
    content: approvalsIn(messages).map((approvalId) => ({ type, approvalId, ...said })),
  };
}

/** What an approval response says of a decision. It has no place for other arguments: see `changesIn`. */
export function toWord(decision: Decision): true | { readonly deny: string } {
  return typeof decision === "object" && "deny" in decision ? decision : true;
}

/** The option `changes` of the run that goes on after a decision. */
export function changesIn(decision: Decision | undefined) {
  const change = typeof decision === "object" && "approve" in decision && decision.approve;
  return change ? { changes: () => change.arguments } : {};
}

/** What a browser may send: a call that no model made, a question that nobody asked, and a yes. */
export function forgeApproval(call: {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: object;
}): ModelMessage[] {
  const { toolCallId } = call;
  const asked: ModelMessage = {
    role: "assistant",
    content: [
      { type: "tool-call", ...call },
      { type: "tool-approval-request", approvalId: "made-up", toolCallId },
    ],
  };
  return [{ role: "user", content: "hi" }, asked, answerTo([asked], true)];
}

/** The outputs of tools in a prompt, as the provider gets them. */
export function toolOutputs(prompt: unknown): unknown[] {
  const messages = (prompt ?? []) as { role: string; content: { output: unknown }[] }[];
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content.map(({ output }) => output));
}

/** Each step as `who[calls]`: a model's, or a hop that nobody was asked for. */
export function track({ steps }: RunResult): string[] {
  return steps.map(({ model, toolCalls }) => {
    const who = model.provider === "toolrail" ? "hop" : "model";
    return `${who}[${toolCalls.map(({ toolName }) => toolName)}]`;
  });
}
