import type { ContentBlock } from "@toolrail/core";
import { type ModelPart, toModelParts } from "@toolrail/core/adapter";

/**
 * Converts a model view to LangChain's standard content blocks. If there are only media, a line of text names their
 * types, since some providers accept neither media nor an empty result from a tool.
 */
export function toContentBlocks(content: readonly ContentBlock[]): ModelPart[] {
  const parts = toModelParts(content);
  const media = parts.filter((part) => part.type !== "text");
  if (media.length === 0 || media.length < parts.length) return parts;
  const kinds = media.map(({ mimeType }) => mimeType).join(", ");
  return [{ type: "text", text: `(${kinds})` }, ...parts];
}

/** Converts blocks to the content of a message. A single text becomes a string, which every provider accepts. */
export function toMessageContent(blocks: readonly ModelPart[]): {
  content: string | ModelPart[];
  response_metadata?: { output_version: "v1" };
} {
  const [first, ...others] = blocks;
  if (first?.type === "text" && others.length === 0) return { content: first.text };
  const hasMedia = blocks.some(({ type }) => type !== "text");
  return {
    content: [...blocks],
    ...(hasMedia && { response_metadata: { output_version: "v1" } }),
  };
}

export function readBlocks({ content }: { readonly content: unknown }): ModelPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (content as ModelPart[]);
}
