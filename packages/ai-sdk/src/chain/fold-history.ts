import { foldChains, type HistoryEntry, labelCalls } from "@toolrail/core/adapter";
import type { ModelOutput, ModelOutputPart } from "../sdk.ts";
import {
  asRecord,
  type MessagePart,
  mapParts,
  markOutput,
  partsOf,
  readMark,
} from "../tools/messages.ts";
import { joinParts } from "../tools/tool-output.ts";

/** Returns the history as if each chain had been one call. Returns the same array if there is nothing to fold. */
export function foldHistory(messages: readonly unknown[]): readonly unknown[] {
  const { roots, chains } = foldChains(toEntries(messages));
  if (roots.size === 0) return messages;
  const isHop = (part: MessagePart) => roots.has(part.toolCallId as string);
  const hopParts = partsOf(messages, "assistant").filter(isHop);
  const approvals = new Set<unknown>(hopParts.flatMap(({ approvalId }) => approvalId ?? []));
  return mapParts(messages, (part) => {
    if (isHop(part) || approvals.has(part.approvalId)) return [];
    const chain = chains.get(part);
    return [chain ? { ...part, output: joinResults(chain) } : part];
  });
}

/** Removes what models do not read: the arguments of hops that are for the user alone. */
export function forModel(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    const isHidden = part.type === "tool-call" && readMark(part).userOnly;
    return [isHidden ? { ...part, input: {} } : part];
  });
}

function* toEntries(messages: readonly unknown[]): Iterable<HistoryEntry<MessagePart>> {
  for (const message of messages) {
    for (const call of partsOf([message], "assistant", "tool-call")) {
      const { root } = readMark(call);
      if (root) yield { type: "hops", roots: { [String(call.toolCallId)]: root } };
    }
    for (const result of partsOf([message], "tool", "tool-result")) {
      yield { type: "result", id: String(result.toolCallId), result };
    }
  }
}

/** Joins several results in one output. It is an error if the last result is one. */
function joinResults(chain: readonly MessagePart[]): ModelOutput {
  const calls = chain.map(readResult);
  return joinParts(labelCalls(calls), calls.at(-1)?.isError === true);
}

/** Reads a result as models do. A refusal names its tool, since folding removes its call. */
function readResult({ toolName, output }: MessagePart) {
  const name = String(toolName);
  const { type, reason } = asRecord(output);
  if (type !== "execution-denied") {
    const isError = String(type).startsWith("error");
    return { name, isError, isMade: readMark(output).made, parts: toParts(output) };
  }
  const why = typeof reason === "string" ? `: ${reason}` : ".";
  const text = `The call of ${name} was not approved${why}`;
  return { name, isError: true, isMade: false, parts: [{ type: "text", text } as const] };
}

/** Adds to each result whose hop was lost that the chain ended early, so that a model does not take it for the end. */
export function markLostHops(
  messages: readonly unknown[],
  lost: ReadonlyMap<string, string>,
): readonly unknown[] {
  if (lost.size === 0) return messages;
  return mapParts(messages, (part) => {
    const { call = "", made } = readMark(part.output);
    const why = lost.get(call);
    if (why === undefined) return [part];
    const text = `The chain of tool calls ended early. Its next call was not made in this run. ${why}`;
    const output = joinParts([...toParts(part.output), { type: "text", text }], true);
    return [{ ...part, output: markOutput(output, made === undefined ? {} : { made }) }];
  });
}

function toParts(output: unknown): ModelOutputPart[] {
  const { type, value } = asRecord(output);
  if (type === "content" && Array.isArray(value)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return [{ type: "text", text }];
}
