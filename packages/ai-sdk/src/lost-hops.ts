import { joinOutputs } from "./join-outputs.ts";
import { readResultMark } from "./marks.ts";
import { type Message, type MessagePart, resultsOf } from "./messages.ts";

/** The messages in which each result whose hop was lost says so, since a model must not take it for the end. */
export function tellLostHops(
  messages: readonly unknown[],
  lost: ReadonlyMap<string, string>,
): readonly unknown[] {
  if (lost.size === 0) return messages;
  const tell = (part: MessagePart): MessagePart => {
    const why = lost.get(readResultMark(part.output).call ?? "");
    if (why === undefined) return part;
    const note = { type: "error-text", value: `The chain of tool calls ended early. ${why}` };
    return { ...part, output: joinOutputs([part.output, note]) };
  };
  return messages.map((message) => {
    if (resultsOf(message).length === 0) return message;
    const { content } = message as Message & { content: readonly MessagePart[] };
    return { ...(message as Message), content: content.map(tell) };
  });
}
