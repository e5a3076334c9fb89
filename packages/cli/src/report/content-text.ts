import type { ContentBlock } from "@toolrail/core";
import { plainText } from "../terminal/plain-text.ts";

/** A content block as text for a terminal; what is not text is named and measured. */
export function contentText(block: ContentBlock): string {
  const { type, text, mimeType = "unknown type", data, uri, name, resource } = block;
  switch (type) {
    case "text":
      return plainText(text ?? "");
    case "image":
    case "audio":
      return plainText(`[${type}, ${mimeType}, ${base64Size(data)}]`);
    case "resource_link":
      return plainText(`[link ${name ?? ""} ${uri ?? ""}]`);
    case "resource":
      return resource?.text === undefined
        ? plainText(`[resource ${resource?.uri ?? ""}, ${base64Size(resource?.blob)}]`)
        : plainText(`[resource ${resource.uri ?? ""}]\n${resource.text}`);
    default:
      return plainText(`[${type}]`);
  }
}

function base64Size(data = ""): string {
  const bytes = Math.floor((data.length * 3) / 4);
  return bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
}
