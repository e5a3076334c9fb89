import type { ModelView } from "@toolrail/core";
import { invalidOptions, type ModelPart, partText, toModelParts } from "@toolrail/core/adapter";
import type { FileForm } from "../sdk-internals.ts";
import type { ModelOutput, ModelOutputPart } from "../sdk-types.ts";

const UNREAD =
  "No call was made: this agent awaits the output of a tool and does not iterate over it, as the AI SDK does.";

/** Converts a view to the output that a model reads. Media never become text. */
export function toModelOutput(
  view: Pick<ModelView, "content" | "isError">,
  files: FileForm,
): ModelOutput {
  if (Symbol.asyncIterator in view) throw invalidOptions(UNREAD);
  const parts = toModelParts(view.content).map((part) => toSdkPart(part, files));
  return joinParts(parts, view.isError);
}

/** Returns parts as one output: only text as `text`, an error as `error-text`, anything with media as `content`. */
export function joinParts(parts: readonly ModelOutputPart[], isError: boolean): ModelOutput {
  const text = parts.map(toText).join("\n");
  if (isError) return { type: "error-text", value: text };
  return parts.every(({ type }) => type === "text")
    ? { type: "text", value: text }
    : { type: "content", value: [...parts] };
}

function toText(part: ModelOutputPart): string {
  if (part.type === "text") return part.text;
  return partText({ type: "file", mimeType: part.mediaType, data: "" });
}

function toSdkPart(part: ModelPart, files: FileForm): ModelOutputPart {
  if (part.type === "text") return part;
  const { mimeType: mediaType, data } = part;
  if (files === "by-kind") {
    return { type: part.type === "image" ? "image-data" : "file-data", data, mediaType };
  }
  // Only `ai` 7 has this form. The types declare the older form, which both majors accept.
  const tagged = { type: "file", mediaType, data: { type: "data", data } };
  return tagged as unknown as ModelOutputPart;
}
