import type { ContentBlock } from "@toolrail/core";

/** A standard content block of LangChain, as far as a tool's answer needs them. */
export type MessageBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio" | "video" | "file";
      readonly mimeType: string;
      readonly data: string;
    };

/**
 * The blocks of a model's view as LangChain's standard content blocks: media by their kind, with their
 * base64 data in its own field and never as text. What LangChain has no block for is named in a line.
 * Media alone are named too, since some providers take no media in the result of a tool, and no empty one.
 */
export function toContentBlocks(content: readonly ContentBlock[]): MessageBlock[] {
  const blocks = content.map(toContentBlock);
  const kinds = blocks.flatMap((block) => (block.type === "text" ? [] : block.mimeType));
  const named = kinds.length > 0 && kinds.length === blocks.length;
  return named ? [text(`(${kinds.join(", ")})`), ...blocks] : blocks;
}

/**
 * The fields of a message with these blocks. One text block is plain text, which every provider takes;
 * with media the message tells the provider packages that its blocks are LangChain's standard ones.
 */
export function toMessageContent(blocks: readonly MessageBlock[]): {
  content: string | MessageBlock[];
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

function toContentBlock(block: ContentBlock): MessageBlock {
  switch (block.type) {
    case "text":
      return text(block.text ?? "");
    case "image":
    case "audio":
      return toMedia(block.data, block.mimeType);
    case "resource":
      return block.resource?.text === undefined
        ? toMedia(block.resource?.blob, block.resource?.mimeType)
        : text(String(block.resource.text));
    case "resource_link":
      return text(toLinkText(block));
    default:
      return text(`(content of type ${block.type} left out)`);
  }
}

/** A link is named and not passed on as a URL block: a provider would fetch what a stranger chose. */
function toLinkText({ name, uri, description }: ContentBlock): string {
  return [name, uri && `<${uri}>`, description && `- ${description}`].filter(Boolean).join(" ");
}

function toMedia(data: unknown, type: unknown): MessageBlock {
  const mimeType = typeof type === "string" ? type : "application/octet-stream";
  if (typeof data !== "string") return text(`(content of type ${mimeType} left out)`);
  const [kind] = mimeType.split("/");
  const known = kind === "image" || kind === "audio" || kind === "video" ? kind : "file";
  return { type: known, mimeType, data };
}

function text(value: string): MessageBlock {
  return { type: "text", text: value };
}
