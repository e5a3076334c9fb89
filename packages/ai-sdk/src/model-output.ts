import type { ContentBlock } from "@toolrail/core";
import type { ModelOutput, ModelOutputPart } from "./sdk-types.ts";
import type { ToolOutput } from "./tool-output.ts";

/** How a major writes files in a tool result: `ai` 6 by kind, `ai` 7 as one tagged part. */
export type FileForm = "by-kind" | "tagged";

/**
 * What a model reads of an output: text alone as `text`, with media as `content`, an error as
 * `error-text` with its structured details. Media never become text.
 */
export function toModelOutput(output: ToolOutput, files: FileForm): ModelOutput {
  const parts = output.content.map((block) => toPart(block));
  const texts = parts.map((part) => (part.type === "text" ? part.text : leftOut(part.mediaType)));
  if (output.isError) return { type: "error-text", value: texts.join("\n") };
  if (parts.every((part) => part.type === "text")) return { type: "text", value: texts.join("\n") };
  return { type: "content", value: files === "tagged" ? parts.map(toTagged) : parts };
}

function toPart(block: ContentBlock): ModelOutputPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text ?? "" };
    case "image":
    case "audio":
      return toMedia(block.data, block.mimeType);
    case "resource":
      return toResource(block);
    case "resource_link":
      return { type: "text", text: toLinkText(block) };
    default:
      return { type: "text", text: leftOut(block.type) };
  }
}

function toResource({ resource }: ContentBlock): ModelOutputPart {
  if (typeof resource?.text === "string") return { type: "text", text: resource.text };
  return toMedia(resource?.blob, resource?.mimeType);
}

/** A link is named and not passed on as a URL: the SDK would fetch what a stranger chose. */
function toLinkText({ name, uri, description }: ContentBlock): string {
  return [name, uri && `<${uri}>`, description && `- ${description}`].filter(Boolean).join(" ");
}

function toMedia(data: unknown, mimeType: unknown): ModelOutputPart {
  const mediaType = typeof mimeType === "string" ? mimeType : "application/octet-stream";
  if (typeof data !== "string") return { type: "text", text: leftOut(mediaType) };
  const type = mediaType.startsWith("image/") ? "image-data" : "file-data";
  return { type, data, mediaType };
}

/** What a model reads in the place of media that it cannot be shown. */
export function leftOut(mediaType: string): string {
  return `(content of type ${mediaType} left out)`;
}

/** `ai` 7's own form; its older form is declared by both majors and so stands in our types. */
function toTagged(part: ModelOutputPart): ModelOutputPart {
  if (part.type === "text") return part;
  const { data, mediaType } = part;
  const tagged = { type: "file", mediaType, data: { type: "data", data } };
  return tagged as unknown as ModelOutputPart;
}
