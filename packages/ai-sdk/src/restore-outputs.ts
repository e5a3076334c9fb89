import { markOutput } from "./marks.ts";
import { asRecord, type Message, type MessagePart, resultsOf } from "./messages.ts";
import { toModelOutput } from "./model-output.ts";
import type { ToolOutput } from "./tool-output.ts";

/**
 * The messages with each output of these tools as a model is to read it. `convertToModelMessages` writes
 * outputs as JSON, media included, where it is not given the tools.
 */
export function restoreOutputs(messages: readonly unknown[], tools: object): readonly unknown[] {
  const restored = messages.map((message) => {
    const results = resultsOf(message).filter((part) => isJsonOfOurs(part, tools));
    if (results.length === 0) return message;
    const { content } = message as Message & { content: readonly MessagePart[] };
    return {
      ...(message as Message),
      content: content.map((part) => (results.includes(part) ? restore(part) : part)),
    };
  });
  return restored.some((message, at) => message !== messages[at]) ? restored : messages;
}

function restore(part: MessagePart): MessagePart {
  const output = asRecord(part.output).value as ToolOutput;
  return { ...part, output: markOutput(toModelOutput(output, "by-kind"), output) };
}

function isJsonOfOurs({ toolName, output }: MessagePart, tools: object): boolean {
  const { type, value } = asRecord(output);
  const { content, hops } = asRecord(value);
  return (
    type === "json" &&
    Object.hasOwn(tools, String(toolName)) &&
    Array.isArray(hops) &&
    Array.isArray(content) &&
    content.every((block) => typeof asRecord(block).type === "string")
  );
}
