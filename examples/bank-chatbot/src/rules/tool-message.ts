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
  const lines: string[] = [];
  const objects: Record<string, unknown>[] = [];

  function collect(value: unknown): void {
    if (typeof value === "string") {
      const json = parseJson(value);
      if (json !== undefined) collect(json);
      else if (value.includes("\n")) value.split("\n").forEach(collect);
      else if (value.trim() !== "") lines.push(value);
    } else if (Array.isArray(value)) {
      value.forEach(collect);
    } else if (isRecord(value) && value.type === "text") {
      collect(value.text);
    } else if (isRecord(value)) {
      objects.push(value);
      Object.values(value)
        .filter((inner) => typeof inner === "object")
        .forEach(collect);
    }
  }

  collect(message);
  return { text: lines.join("\n"), objects };
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
  return typeof value === "object" && value !== null;
}
