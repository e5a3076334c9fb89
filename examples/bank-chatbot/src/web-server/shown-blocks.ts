import type { ContentBlock } from "@toolrail/core";
import type { ShownBlock } from "./protocol.ts";

const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const AUDIO = ["audio/wav", "audio/mpeg", "audio/ogg", "audio/webm"];

/** Blocks as a page can show them. Only known media and web links pass; the rest is named. */
export function toShownBlocks(content: readonly ContentBlock[]): ShownBlock[] {
  return content.flatMap((block) => toShownBlock(block) ?? []);
}

function toShownBlock(block: ContentBlock): ShownBlock | undefined {
  const { type, text, data, mimeType = "", uri, name, resource } = block;
  if (type === "text") return text ? { type: "text", text } : undefined;
  const url = `data:${mimeType};base64,${data}`;
  if (type === "image" && data && IMAGES.includes(mimeType)) return { type: "image", url };
  if (type === "audio" && data && AUDIO.includes(mimeType)) return { type: "audio", url };
  if (type === "resource" && resource?.text) return { type: "text", text: resource.text };
  if (type === "resource_link" && uri && /^https?:\/\//i.test(uri)) {
    return { type: "link", url: uri, name: name ?? uri };
  }
  return { type: "other", name: name ?? type };
}
