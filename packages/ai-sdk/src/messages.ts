/** A part of a message of the SDK, as far as chains are concerned. Any of it may come from a browser. */
export interface MessagePart {
  readonly type?: unknown;
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly approvalId?: unknown;
  readonly approved?: unknown;
}

/** A message of the SDK. */
export interface Message {
  readonly role?: unknown;
  readonly content?: unknown;
}

/** The parts of a message of that role; none where its content is text or it is of another role. */
export function partsOf(message: unknown, role: "assistant" | "tool"): readonly MessagePart[] {
  if (typeof message !== "object" || message === null) return [];
  const { role: found, content } = message as Message;
  return found === role && Array.isArray(content) ? content.filter(isPart) : [];
}

function isPart(part: unknown): part is MessagePart {
  return typeof part === "object" && part !== null;
}

/** The tool results in a message. */
export function resultsOf(message: unknown): readonly MessagePart[] {
  return partsOf(message, "tool").filter((part) => part.type === "tool-result");
}

/** A value's fields, whatever it is. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
