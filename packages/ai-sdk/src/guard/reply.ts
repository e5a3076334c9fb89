import type { GuardTurn } from "@toolrail/core/guard";
import { type AnswerModel, createAnswerModel } from "../answer-model.ts";
import { readMark, toMark } from "../tools/marks.ts";
import { mapParts } from "../tools/messages.ts";

/** A model that says a reply to the user. Models read its note where the text comes back in a history. */
export function createReplyModel({ text, note }: NonNullable<GuardTurn["reply"]>): AnswerModel {
  return createAnswerModel([{ type: "text", text, providerMetadata: toMark({ note }) }]);
}

/** The messages with every such reply replaced by its note, so that no model reads what was for the user. */
export function withoutReplies(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => {
    const { note } = readMark(part);
    return [note === undefined ? part : { type: "text", text: note }];
  });
}
