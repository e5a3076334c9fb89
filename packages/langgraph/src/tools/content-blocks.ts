import type { ContentBlock } from "@toolrail/core";
import { type ModelPart, toModelParts } from "@toolrail/core/adapter";

/**
 * The blocks of a model's view as LangChain's standard content blocks, which have the form of our parts. Media
 * alone are named in a line too, since some providers take no media in the result of a tool, and no empty one.
 */
export function toContentBlocks(content: readonly ContentBlock[]): ModelPart[] {
  const parts = toModelParts(content);
  const media = parts.filter((part) => part.type !== "text");
  if (media.length === 0 || media.length < parts.length) return parts;
  const kinds = media.map(({ mimeType }) => mimeType).join(", ");
  return [{ type: "text", text: `(${kinds})` }, ...parts];
}

/** The fields of a message: a single text as such, which every provider takes; media as LangChain's standard blocks. */
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

/** The blocks of a message that was made with `toMessageContent`. */
export function blocksOf({ content }: { readonly content: unknown }): ModelPart[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : (content as ModelPart[]);
}
