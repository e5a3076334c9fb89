import { joinOutputs } from "./join-outputs.ts";
import { readRoot } from "./marks.ts";
import { type Message, type MessagePart, partsOf, resultsOf } from "./messages.ts";

/**
 * The history as if each chain had been one call: hops are taken out, and their results stand with the
 * call of the model that they came of. Real models get it so by default, since some providers refuse
 * calls that they did not make, and since a hop's arguments are no business of a model.
 * Returns the same array where there is nothing to fold.
 */
export function foldHistory(messages: readonly unknown[]): readonly unknown[] {
  const plan = planFold(messages);
  if (plan.roots.size === 0) return messages;
  return messages.flatMap((message) => foldMessage(message as Message, plan));
}

interface FoldPlan {
  /** By the model's result: the outputs of its chain, its own first. */
  readonly outputs: ReadonlyMap<MessagePart, readonly unknown[]>;
  /** By the id of a hop's call: the model's result that it belongs to. */
  readonly roots: ReadonlyMap<unknown, MessagePart>;
  readonly approvals: ReadonlySet<unknown>;
}

function planFold(messages: readonly unknown[]): FoldPlan {
  const results = new Map<unknown, MessagePart>();
  const outputs = new Map<MessagePart, unknown[]>();
  const roots = new Map<unknown, MessagePart>();
  const approvals = new Set<unknown>();
  for (const message of messages) {
    for (const part of partsOf(message, "assistant")) {
      // Ids of models may come again in later turns: the latest result of that id is meant.
      const root = part.type === "tool-call" ? results.get(readRoot(part)) : undefined;
      if (root && typeof part.toolCallId === "string") roots.set(part.toolCallId, root);
      const asks = part.type === "tool-approval-request" && roots.has(part.toolCallId);
      if (asks) approvals.add(part.approvalId);
    }
    for (const part of resultsOf(message)) {
      const root = roots.get(part.toolCallId);
      if (root) outputs.set(root, [...(outputs.get(root) ?? [root.output]), toReadable(part)]);
      else results.set(part.toolCallId, part);
    }
  }
  return { outputs, roots, approvals };
}

/** A refusal names its tool, since the call that it belonged to is taken out. */
function toReadable({ toolName, output }: MessagePart): unknown {
  const { type, reason } = output as { type?: unknown; reason?: unknown };
  if (type !== "execution-denied") return output;
  const why = typeof reason === "string" ? `: ${reason}` : ".";
  return { type: "error-text", value: `The call of ${toolName} was not approved${why}` };
}

function foldMessage(message: Message, plan: FoldPlan): Message[] {
  const { roots, outputs, approvals } = plan;
  if (!Array.isArray(message.content)) return [message];
  const content = (message.content as MessagePart[]).flatMap((part) => {
    if (roots.has(part.toolCallId) || approvals.has(part.approvalId)) return [];
    const folded = outputs.get(part);
    return folded ? [{ ...part, output: joinOutputs(folded) }] : [part];
  });
  if (content.length === 0) return [];
  const same =
    content.length === message.content.length &&
    content.every((part, at) => part === (message.content as MessagePart[])[at]);
  return [same ? message : { ...message, content }];
}
