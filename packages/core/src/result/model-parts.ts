import { invalidOptions } from "../errors.ts";
import type { ContentBlock } from "./call-tool-result.ts";

/** A part of a model's input, before conversion to the format of a framework. `data` is base64. */
export type ModelPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "file";
      readonly mimeType: string;
      readonly data: string;
    };

/** The media that providers accept in the result of a tool. They reject a request with any other type. */
const ACCEPTED: { readonly [mimeType: string]: "image" | "file" } = {
  "image/png": "image",
  "image/jpeg": "image",
  "image/gif": "image",
  "image/webp": "image",
  "application/pdf": "file",
};

/**
 * Converts the blocks of a `modelView` to parts, in order. Common images and PDF files keep their data. Other media, such as
 * audio, SVG and archives, become a line that names their type, since providers reject them. An embedded resource
 * begins with its URI. A link becomes a text and not a URL, since a provider would fetch the address that an untrusted
 * server chose. A block that models cannot read becomes a line that names its type.
 */
export function toModelParts(content: readonly ContentBlock[]): ModelPart[] {
  if (!Array.isArray(content)) throw invalidOptions("toModelParts takes the `content` of a view.");
  const parts: ModelPart[] = [];
  for (const block of content) parts.push(...toParts(block)); // `flatMap` takes several times as long.
  return parts;
}

/** Returns a part as text, for models or formats that take only text. A line replaces media. */
export function partText(part: ModelPart): string {
  return part.type === "text" ? part.text : leftOut(part.mimeType);
}

function toParts(block: ContentBlock): ModelPart[] {
  switch (block.type) {
    case "text":
      return [text(block.text ?? "")];
    case "image":
      return [toMedia(block.data, block.mimeType)];
    case "audio": {
      const type = String(block.mimeType); // A server may call it an image.
      return [toMedia(block.data, type.startsWith("audio/") ? type : "audio")];
    }
    case "resource":
      return toResource(block);
    case "resource_link":
      return [text(toLinkText(block))];
    default:
      return [text(leftOut(block.type))];
  }
}

function toResource({ resource }: ContentBlock): ModelPart[] {
  const { uri, text: words, blob, mimeType } = resource ?? {};
  const address = uri ? `<${uri}>` : undefined;
  if (typeof words === "string") return [text(address ? `${address}\n${words}` : words)];
  const media = toMedia(blob, mimeType);
  return address ? [text(address), media] : [media];
}

function toLinkText({ name, uri, description }: ContentBlock): string {
  return [name, uri && `<${uri}>`, description && `- ${description}`].filter(Boolean).join(" ");
}

function toMedia(data: unknown, type: unknown): ModelPart {
  const mimeType = typeof type === "string" ? type : "application/octet-stream";
  if (typeof data !== "string") return text(leftOut(mimeType));
  if (!isBase64(data)) return text(`(content of type ${mimeType} that cannot be decoded)`);
  const kind = Object.hasOwn(ACCEPTED, mimeType) ? ACCEPTED[mimeType] : undefined;
  return kind ? { type: kind, mimeType, data } : text(leftOut(mimeType));
}

/** Returns true if `atob`, or a decoder of URL-safe base64, can decode the data. Frameworks end a run at other data. */
function isBase64(data: string): boolean {
  const hasSpace = [..." \t\n\f\r"].some((space) => data.includes(space));
  const digits = hasSpace ? data.replace(/[\t\n\f\r ]/g, "") : data;
  const { length } = digits;
  const end = digits.indexOf("=");
  const isWhole =
    end < 0 ? length % 4 !== 1 : length % 4 === 0 && end >= length - 2 && digits.endsWith("=");
  return length > 0 && isWhole && !/[^\w+/=-]/.test(digits);
}

function leftOut(type: string): string {
  return `(content of type ${type} left out)`;
}

function text(value: string): ModelPart {
  return { type: "text", text: value };
}
