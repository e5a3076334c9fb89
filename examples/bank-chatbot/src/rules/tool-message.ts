/** A tool's answer taken apart: what is prose, and every JSON object found in it. */
export interface ToolMessage {
  readonly text: string;
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Reads a tool message in any of the usual forms: plain text, the JSON of the structured result, the
 * JSON of a list of content blocks, or text with a line of JSON below it.
 */
export function readToolMessage(message: string): ToolMessage {
  const whole = parseJson(message);
  if (whole !== undefined) return collect(whole);
  return merge(message.split("\n").map((line) => collect(parseJson(line) ?? line)));
}

function collect(value: unknown): ToolMessage {
  if (typeof value === "string") {
    const inner = parseJson(value);
    if (inner !== undefined) return collect(inner);
    return value.includes("\n") ? readToolMessage(value) : { text: value, objects: [] };
  }
  if (Array.isArray(value)) return merge(value.map(collect));
  if (!isRecord(value)) return { text: "", objects: [] };
  if (typeof value.text === "string" && value.type === "text") return collect(value.text);
  const inner = Object.values(value).filter((one) => typeof one === "object");
  const found = merge(inner.map(collect));
  return { text: found.text, objects: [value, ...found.objects] };
}

function merge(messages: readonly ToolMessage[]): ToolMessage {
  return {
    text: messages
      .map(({ text }) => text)
      .filter((text) => text.trim() !== "")
      .join("\n"),
    objects: messages.flatMap(({ objects }) => objects),
  };
}

/** Objects and lists only: a lone number or word is text. */
function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
