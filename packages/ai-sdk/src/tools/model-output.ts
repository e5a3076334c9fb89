import { type ModelView, ToolrailError } from "@toolrail/core";
import { type ModelPart, partText, toModelParts } from "@toolrail/core/adapter";
import type { FileForm } from "../sdk-internals.ts";
import type { ModelOutput, ModelOutputPart } from "../sdk-types.ts";

const UNREAD =
  "No call was made: this agent waits for a promise and does not iterate. Give it toWorkflowTools(createTools(host)) of @toolrail/ai-sdk/workflow.";

/** What a model reads of a tool's output. Media never become text. */
export function toModelOutput(
  view: Pick<ModelView, "content" | "isError">,
  files: FileForm,
): ModelOutput {
  if (Symbol.asyncIterator in view) throw new ToolrailError("invalid-options", UNREAD);
  const parts = toModelParts(view.content).map((part) => toSdkPart(part, files));
  return outputOf(parts, view.isError);
}

/** Parts as one output: text alone as `text`, an error as `error-text`, anything with media as `content`. */
export function outputOf(parts: readonly ModelOutputPart[], isError: boolean): ModelOutput {
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
  // The form of `ai` 7 alone; the older one is declared by both majors and so stands in the types.
  const tagged = { type: "file", mediaType, data: { type: "data", data } };
  return tagged as unknown as ModelOutputPart;
}
