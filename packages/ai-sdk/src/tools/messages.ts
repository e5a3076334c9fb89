/** A part of a message of the SDK. Any of it may come from a browser. */
export type MessagePart = Readonly<Record<string, unknown>>;

/** A value's fields, whatever it is. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The parts of a message of that role; none where its content is text or it is of another role. */
export function partsOf(message: unknown, role: "assistant" | "tool"): readonly MessagePart[] {
  const { role: found, content } = asRecord(message);
  return found === role && Array.isArray(content) ? content.map(asRecord) : [];
}

/** The tool results in a message. */
export function resultsOf(message: unknown): readonly MessagePart[] {
  return partsOf(message, "tool").filter(({ type }) => type === "tool-result");
}

/** The messages with each part replaced, without those that lose all parts; what stays the same is not copied. */
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
