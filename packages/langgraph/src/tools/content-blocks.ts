import type { ContentBlock } from "@toolrail/core";
import { partText, toModelParts } from "@toolrail/core/adapter";

/** A block of a message. All provider packages of LangChain read images in this form. */
export type MessageBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/**
 * Converts a model view to blocks of a message. Files become a line that names their type, since LangChain has no form of a
 * file that reaches every provider. If there are only images, a line names them too, since some providers accept neither
 * images nor an empty result from a tool.
 */
export function toMessageBlocks(content: readonly ContentBlock[]): MessageBlock[] {
  const parts = toModelParts(content);
  const blocks = parts.map((part): MessageBlock => {
    if (part.type !== "image") return { type: "text", text: partText(part) };
    const url = `data:${part.mimeType};base64,${part.data}`;
    return { type: "image_url", image_url: { url } };
  });
  if (parts.length === 0 || parts.some(({ type }) => type !== "image")) return blocks;
  const kinds = parts.map((part) => part.type === "image" && part.mimeType).join(", ");
  return [{ type: "text", text: `(${kinds})` }, ...blocks];
}

/** Converts blocks to the content of a message. A single text becomes a string, which every provider accepts. */
export function toMessageContent(blocks: readonly MessageBlock[]): string | MessageBlock[] {
  const [first, ...others] = blocks;
  return first?.type === "text" && others.length === 0 ? first.text : [...blocks];
}

export function readBlocks({ content }: { readonly content: unknown }): MessageBlock[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : (content as MessageBlock[]);
}
