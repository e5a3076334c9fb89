import { toTextParts } from "./guarded-model.ts";
import { asRecord } from "./messages.ts";
import { createSilentModel, type SilentModel } from "./silent-model.ts";

type RawMark = { toolrail: { raw: string } };

interface TextPart {
  type: "text";
  text: string;
  providerMetadata: RawMark;
}

type StreamPart =
  | { type: "text-start" | "text-end"; id: string; providerMetadata?: RawMark }
  | { type: "text-delta"; id: string; delta: string };

/** The model of a step that says a text of ours. */
export type ReplyModel = SilentModel<TextPart, StreamPart>;

/**
 * A model that asks nobody and says one text, at no tokens. `note` is what models read in its place when
 * the text comes back to them in a history.
 */
export function createReplyModel(text: string, note: string): ReplyModel {
  const providerMetadata = { toolrail: { raw: note } };
  return createSilentModel<TextPart, StreamPart>({
    modelId: "reply",
    content: [{ type: "text", text, providerMetadata }],
    parts: toTextParts(text).map((part) =>
      part.type === "text-delta" ? part : { ...part, providerMetadata },
    ),
    finish: "stop",
  });
}

/** The messages with every text of ours replaced by its note, so that no model reads what was for the user. */
export function withoutRaw(messages: readonly unknown[]): readonly unknown[] {
  const cleaned = messages.map(cleanMessage);
  return cleaned.every((message, index) => message === messages[index]) ? messages : cleaned;
}

function cleanMessage(message: unknown): unknown {
  const { role, content } = asRecord(message);
  if (role !== "assistant" || !Array.isArray(content)) return message;
  const parts = content.map((part: unknown) => {
    const note = asRecord(asRecord(asRecord(part).providerOptions).toolrail).raw;
    return typeof note === "string" ? { type: "text", text: note } : part;
  });
  return parts.every((part, index) => part === content[index])
    ? message
    : { ...asRecord(message), content: parts };
}
