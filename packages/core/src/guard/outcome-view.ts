import type { ContentBlock } from "../result/call-tool-result.ts";
import { type ModelView, type ModelViewOptions, modelView } from "../result/model-view.ts";
import { userView } from "../result/user-view.ts";
import type { GuardOutcome } from "./guard-outcome.ts";

const NOT_CALLED = "Not called: ";
const UNTYPED =
  "The tool was called. Its result has no checked type and was shown to the user alone.";

/**
 * What a model may read of an outcome: a typed result, or a line of ours. Not the text of a server whose
 * result was no good, in whatever shape it comes.
 */
export function outcomeView(outcome: GuardOutcome, options?: ModelViewOptions): ModelView {
  if (outcome.code === "complete") return modelView(outcome.hop, options);
  const text = lineOf(outcome);
  const isError = outcome.code !== "needs-more-info";
  return { content: [{ type: "text", text }], isError, placeholder: true, userOnly: false };
}

function lineOf(outcome: GuardOutcome): string {
  if ("hop" in outcome) return UNTYPED;
  if (outcome.verdict !== "block" || !outcome.called) return `${NOT_CALLED}${outcome.message}`;
  return `The tool was called, and the call failed (${outcome.code}).`;
}

/** True for the line that a model reads of a call that was not made. */
export function isNotCalledText(text: string): boolean {
  return text.startsWith(NOT_CALLED);
}

/**
 * A reply for the user that no model has written: what the tool said to the user, or why there is
 * nothing. For queries whose result no model may read, and for models that do not answer.
 */
export function outcomeText(outcome: GuardOutcome): string {
  if (!("hop" in outcome)) return outcome.message;
  const { result } = outcome.hop;
  const { structuredContent } = result;
  const shown = userView(result)
    .content.map(blockText)
    .filter((text) => text !== "");
  const hasText = shown.length > 0 || structuredContent === undefined;
  const body = hasText ? shown : [JSON.stringify(structuredContent)];
  return (outcome.code === "complete" ? body : [outcome.message, ...body]).join("\n");
}

function blockText(block: ContentBlock): string {
  if (block.type === "text") return block.text ?? "";
  return block.resource?.text ?? block.uri ?? "";
}
