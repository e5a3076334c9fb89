/** A part of a message of the SDK. It may come from a browser. */
export type MessagePart = Readonly<Record<string, unknown>>;

/** Returns the fields of a value, or an empty object if it has none. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the parts of a message. There are none if its content is a text, or if it has another role. */
export function partsOf(message: unknown, role: "assistant" | "tool"): readonly MessagePart[] {
  const { role: found, content } = asRecord(message);
  return found === role && Array.isArray(content) ? content.map(asRecord) : [];
}

export function resultsOf(message: unknown): readonly MessagePart[] {
  return partsOf(message, "tool").filter(({ type }) => type === "tool-result");
}

/** Replaces each part of the messages, and drops messages without parts. Messages that do not change are not copied. */
export function mapParts(
  messages: readonly unknown[],
  replace: (part: MessagePart) => readonly MessagePart[],
): readonly unknown[] {
  const mapped = messages.flatMap((message) => {
    const { content } = asRecord(message);
    if (!Array.isArray(content)) return [message];
    const parts = content.flatMap((part) => (part === asRecord(part) ? replace(part) : [part]));
    if (isSame(parts, content)) return [message];
    return parts.length === 0 ? [] : [{ ...asRecord(message), content: parts }];
  });
  return isSame(mapped, messages) ? messages : mapped;
}

function isSame(after: readonly unknown[], before: readonly unknown[]): boolean {
  return after.length === before.length && after.every((item, at) => item === before[at]);
}
