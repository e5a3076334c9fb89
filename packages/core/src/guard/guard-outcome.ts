import type { PendingCall } from "../chain/chain-result.ts";
import type { ToolrailError, ToolrailErrorCode } from "../errors.ts";
import type { Host } from "../host/create-host.ts";
import type { ContentBlock } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";
import { type ModelView, type ModelViewOptions, modelView } from "../result/model-view.ts";
import { userView } from "../result/user-view.ts";

/** What became of a guarded call or query. `message` says it to a person. Plain JSON, as far as `value` is. */
export type GuardOutcome<T = unknown> =
  /** The call was made, and its output has the promised type: a model may read it. */
  | {
      readonly verdict: "allow";
      readonly code: "complete";
      readonly message: string;
      readonly hop: Hop<T>;
      readonly value: T;
      /** The call that the result's `nextTool` asked for. It was reported, and not made. */
      readonly notFollowed?: PendingCall;
    }
  /** The call was made, and what came back has no checked type: raw, for the user, and for no model. */
  | {
      readonly verdict: "allow";
      readonly code: "tool-error" | "untyped-output";
      readonly message: string;
      readonly hop: Hop;
      readonly notFollowed?: PendingCall;
    }
  /** The planner needs to know more; no call was made. */
  | { readonly verdict: "allow"; readonly code: "needs-more-info"; readonly message: string }
  /** A person must approve the call: see `resume`. */
  | {
      readonly verdict: "ask";
      readonly code: "needs-approval";
      readonly message: string;
      readonly pending: PendingCall;
    }
  /** Refused before the call, or the call failed. */
  | {
      readonly verdict: "block";
      readonly code: ToolrailErrorCode;
      readonly message: string;
      /** The call was sent, or may have been. */
      readonly called: boolean;
    };

/**
 * Judges the hop of a guarded call: its output counts as typed where `structuredContent` is present, the
 * server did not say `isError`, and the output schema and the registered parser accept it.
 */
export function judgeHop(hop: Hop, nextHop: Host["nextHop"]): GuardOutcome {
  const name = `${hop.server}.${hop.tool}`;
  const next = nextHop(hop);
  const asked = next.type === "call" ? next.call : next.pending;
  const made = { verdict: "allow", hop, ...(asked && { notFollowed: asked }) } as const;
  const { result, output } = hop;
  const raw = "Its raw result is kept, and no model has read it.";
  if (result.isError === true) {
    return { ...made, code: "tool-error", message: `${name} reported an error. ${raw}` };
  }
  if (result.structuredContent === undefined || output.status !== "valid") {
    const why = output.status === "invalid" ? output.message : `${name} sent no checked output`;
    return { ...made, code: "untyped-output", message: `${why}. ${raw}` };
  }
  return { ...made, code: "complete", message: `${name} was called.`, value: output.value };
}

/** The outcome of a call that was refused, or that failed when it was sent. */
export function toBlocked({ code, message }: ToolrailError, called = false): GuardOutcome {
  return { verdict: "block", code, message, called };
}

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
