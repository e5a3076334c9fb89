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
export function answerTo(messages: readonly ModelMessage[], approved: boolean): ModelMessage {
  return {
    role: "tool",
    content: approvalsIn(messages).map((approvalId) => ({
      type: "tool-approval-response",
      approvalId,
      approved,
    })),
  };
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
