import { readResultMark } from "./marks.ts";
import { leftOut } from "./model-output.ts";
import type { ModelOutput, ModelOutputPart } from "./sdk-types.ts";

/** One output of several: an error where the last is one, text alone where there is nothing else. */
export function joinOutputs(outputs: readonly unknown[]): ModelOutput {
  const shown = outputs.filter((output) => !readResultMark(output).placeholder);
  const parts = (shown.length > 0 ? shown : outputs.slice(-1)).flatMap(toParts);
  const { type } = (outputs.at(-1) ?? {}) as { type?: unknown };
  const texts = parts.map((part) => ("text" in part ? part.text : leftOut(part.mediaType)));
  if (typeof type === "string" && type.startsWith("error")) {
    return { type: "error-text", value: texts.join("\n") };
  }
  if (parts.every((part) => part.type === "text")) return { type: "text", value: texts.join("\n") };
  return { type: "content", value: parts };
}

function toParts(output: unknown): ModelOutputPart[] {
  const { type, value } = output as { type?: unknown; value?: unknown };
  if (type === "content" && Array.isArray(value)) return value;
  return [
    { type: "text", text: typeof value === "string" ? value : JSON.stringify(value ?? null) },
  ];
}
