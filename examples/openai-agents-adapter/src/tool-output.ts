import type { ToolOutputFileContent, ToolOutputImage, ToolOutputText } from "@openai/agents";
import type { ModelView } from "@toolrail/core";
import { type ModelPart, partText, toModelParts } from "@toolrail/core/adapter";

type ToolOutputPart = ToolOutputText | ToolOutputImage | ToolOutputFileContent;

/** The value that a tool returns to the SDK: text, or parts if there are media. */
export type ToolOutput = string | ToolOutputPart[];

/**
 * Converts a model view to the output of a tool. The SDK has no format for an error, so the text begins with
 * `Error:`.
 */
export function toToolOutput({ content, isError }: ModelView): ToolOutput {
  const parts = toModelParts(content).map(toOutputPart);
  const [first] = parts;
  const saysSo = first?.type === "text" && /^error\b/i.test(first.text);
  if (isError && !saysSo) parts.unshift(text("Error:"));
  return parts.every(({ type }) => type === "text")
    ? parts.map((part) => (part as ToolOutputText).text).join("\n")
    : parts;
}

function toOutputPart(part: ModelPart): ToolOutputPart {
  if (part.type === "text") return text(partText(part));
  const { mimeType: mediaType, data } = part;
  if (part.type === "image") return { type: "image", image: { data, mediaType } };
  return { type: "file", file: { data, mediaType, filename: "document.pdf" } };
}

function text(value: string): ToolOutputText {
  return { type: "text", text: value };
}
