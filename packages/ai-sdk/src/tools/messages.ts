import type { ModelOutput, ProviderOptions } from "../sdk.ts";

/** A part of a message of the SDK. It may come from a browser. */
export type MessagePart = Readonly<Record<string, unknown>>;

/** Returns the fields of a value, or an empty object if it has none. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the parts of all messages of a role. A message whose content is a text has none. Default of `type`: parts of any type. */
export function partsOf(
  messages: readonly unknown[],
  role: "assistant" | "tool",
  type?: string,
): readonly MessagePart[] {
  const parts: MessagePart[] = [];
  for (const message of messages) {
    const { role: found, content } = asRecord(message);
    if (found !== role || !Array.isArray(content)) continue;
    for (const part of content.map(asRecord)) {
      if (type === undefined || part.type === type) parts.push(part);
    }
  }
  return parts;
}

/** Returns the last call with this id in the messages. */
export function findCall(messages: readonly unknown[], id: string): MessagePart | undefined {
  const calls = partsOf(messages, "assistant", "tool-call");
  return calls.findLast(({ toolCallId }) => toolCallId === id);
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

const KEY = "toolrail";

const KINDS = {
  /** The host's id of the call if a hop follows from this result. */
  call: "string",
  /** True on a result that is for the user alone, and on the call of such a hop. */
  userOnly: "boolean",
  /** True on the result of a hop if its call was made. */
  made: "boolean",
  /** The model's call that began the chain, on the call of a hop. */
  root: "string",
  /** The hop on the call of a hop, as JSON text without its arguments: a page keeps it while the hop waits for an approval. */
  hop: "string",
  /** The host's seal on this hop, which nobody else can write for another call if the host has a `secret`. */
  seal: "string",
  /** The text that models read instead of this reply, which no model wrote. */
  note: "string",
} as const;

/**
 * The metadata beside a part of a message, which no model and no provider reads. A browser may have changed it, so it
 * only contains names: the pending hop of the host decides whether a hop is made.
 */
export type Mark = {
  readonly [Name in keyof typeof KINDS]?: (typeof KINDS)[Name] extends "string" ? string : boolean;
};

export function toMark(mark: Mark): ProviderOptions {
  return { [KEY]: { ...mark } };
}

/** Reads the mark on a part, or on the output of a result. It is empty if there is none. */
export function readMark(part: unknown): Mark {
  const { value, providerOptions } = asRecord(part);
  const first = Array.isArray(value) ? asRecord(value[0]).providerOptions : undefined;
  const mark = asRecord(asRecord(providerOptions ?? first)[KEY]);
  const kinds = Object.entries(KINDS);
  const known = kinds.filter(
    ([name, kind]) => Object.hasOwn(mark, name) && typeof mark[name] === kind,
  );
  return Object.fromEntries(known.map(([name]) => [name, mark[name]]));
}

export function markOutput(output: ModelOutput, mark: Mark): ModelOutput {
  if (Object.keys(mark).length === 0) return output;
  const providerOptions = toMark(mark);
  if (output.type !== "content") return { ...output, providerOptions };
  const [first, ...rest] = output.value; // `ai` 6 has no options on `content` itself.
  return first ? { ...output, value: [{ ...first, providerOptions }, ...rest] } : output;
}
