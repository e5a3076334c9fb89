import type { KeepOptions } from "../call/plugin.ts";
import { toolId } from "../call/tool.ts";
import type { NextHop } from "../chain/next-hop.ts";
import type { ToolrailError, ToolrailErrorCode } from "../errors.ts";
import type { Host } from "../host/host.ts";
import { type Hop, type PendingCall, toRef } from "../result/hop.ts";
import { toModelParts } from "../result/model-parts.ts";
import { type ModelView, modelView, userView } from "../result/model-view.ts";
import type { QueryPhase } from "./query.ts";

interface MadeCall<T> {
  readonly verdict: "allow";
  readonly message: string;
  readonly hop: Hop<T>;
  /** The call that `nextTool` of the result asked for. It was reported but not made. */
  readonly notFollowed?: PendingCall;
}

/** The outcome of a guarded call or query. `message` is for a person. Plain JSON if `value` is. */
export type GuardOutcome<T = unknown> =
  /** The call was made, and its output has the promised type, so that a model may read it. */
  | (MadeCall<T> & { readonly code: "complete"; readonly value: T })
  /** The call was made, but its result has no checked type. It is for the user, and no model may read it. */
  | (MadeCall<unknown> & { readonly code: "tool-error" | "untyped-output" })
  /** The planner needs more information. No call was made. */
  | { readonly verdict: "allow"; readonly code: "needs-more-info"; readonly message: string }
  /** A person must approve the call: see `resume`. */
  | {
      readonly verdict: "ask";
      readonly code: "needs-approval";
      readonly message: string;
      readonly pending: PendingCall;
    }
  /** The call was refused, or it failed. */
  | {
      readonly verdict: "block";
      readonly code: ToolrailErrorCode;
      readonly message: string;
      /** True if the call was sent, or may have been. */
      readonly called: boolean;
    };

/** Creates the outcome of a call that was refused, or that failed when it was sent. */
export function toBlocked({ code, message }: ToolrailError, called = false): GuardOutcome {
  return { verdict: "block", code, message, called };
}

/** Judges the hop of a guarded call. Its output is typed if the schema and the parser of the tool accept it. */
export function judgeHop(hop: Hop, next: NextHop): GuardOutcome {
  const { result, output } = hop;
  const name = toolId(toRef(hop));
  const notFollowed = next.type === "call" ? next.call : next.pending;
  const note = noteOn(hop, next);
  const say = (text: string, isRaw = true) => ({
    verdict: "allow" as const,
    ...{ hop, ...(notFollowed && { notFollowed }) },
    message: [text, isRaw && RAW, note].filter(Boolean).join(" "),
  });
  if (result.isError === true) return { ...say(`${name} reported an error.`), code: "tool-error" };
  if (output.status !== "valid") {
    const defect =
      output.status === "invalid" ? output.message : `${name} sent no output that can be checked`;
    return { ...say(`${defect}.`), code: "untyped-output" };
  }
  return { ...say(`${name} was called.`, false), code: "complete", value: output.value };
}

const RAW = "Its raw result is kept, and no model has read it.";

/** Reports a `nextTool`, even if no chain would follow it. */
function noteOn({ output }: Hop, next: NextHop): string | undefined {
  if (next.type === "end") return output.status === "invalid" ? undefined : next.error?.message;
  const { server, tool } = next.call;
  return `Its result asks for ${server}.${tool}: a guarded query makes one call.`;
}

/** Returns true if the call of the query was made, or may have been. */
export function isMade(outcome: GuardOutcome | undefined): boolean {
  return outcome !== undefined && ("hop" in outcome || ("called" in outcome && outcome.called));
}

/** Selects the outcome of a query: that of its call, or else the last one with new information. */
export function keepOutcome(before: GuardOutcome | undefined, now: GuardOutcome): GuardOutcome {
  return before && (isMade(before) || now.code === "step-used") ? before : now;
}

/** Stores a long result of an outcome for a model to read in parts. A result that no model may read is not changed. */
export async function keepResult(
  host: Host,
  outcome: GuardOutcome,
  { conversation }: Pick<KeepOptions, "conversation">,
): Promise<GuardOutcome> {
  if (outcome.code !== "complete") return outcome;
  const hop = await host.keep(outcome.hop, { conversation, canRead: false });
  return { ...outcome, hop, value: hop.kept === undefined ? outcome.value : undefined };
}

/** Returns the part of an outcome that a model may read: a typed result, or one line without any text of the server. */
export function outcomeView(outcome: GuardOutcome): ModelView {
  if (outcome.code === "complete") return modelView(outcome.hop);
  const isError = outcome.code !== "needs-more-info";
  let text = `Refused: ${outcome.message}`;
  if ("hop" in outcome)
    text = "The tool was called. Its result has no checked type and is for the user alone.";
  else if (isMade(outcome)) text = `The tool was called, but the call failed (${outcome.code}).`;
  return { content: [{ type: "text", text }], isError, placeholder: true, userOnly: false };
}

/** Returns the reply to the user if no model writes one: the tool's text for the user, or the reason why nothing was called. */
export function outcomeText(outcome: GuardOutcome): string {
  if (!("hop" in outcome)) return outcome.message;
  const { result } = outcome.hop;
  const { structuredContent } = result;
  const parts = toModelParts(userView(result).content);
  const shown = parts.flatMap((part) => (part.type === "text" && part.text) || []);
  if (shown.length === 0 && structuredContent !== undefined)
    shown.push(JSON.stringify(structuredContent));
  return (outcome.code === "complete" ? shown : [outcome.message, ...shown]).join("\n");
}

/** A turn of a model in a guarded query: what was asked for, and what came of it. */
export interface GuardTurn {
  /** The maximum number of calls that are made of the model's answer. Others are answered with `step-used`, or dropped if it is 0. */
  readonly calls: 0 | 1;
  /** False if the model must not be asked. The user then gets `reply.text`. */
  readonly askModel: boolean;
  /** The reply to the user if the model is not asked, or if its answer is empty. */
  readonly reply?: {
    readonly text: string;
    /** The text that models read instead of `text` in a later history. */
    readonly note: string;
  };
}

/** Decides what a model may do next: one call while a query is open, then only an answer, and nothing after a hidden result. */
export function guardTurn(phase: QueryPhase, outcome?: GuardOutcome): GuardTurn {
  const calls = phase.type === "open" ? 1 : 0;
  if (outcome === undefined) return { calls, askModel: true, ...(calls === 0 && { reply: OVER }) };
  const isReadable = outcome.code === "complete";
  const text = outcomeText(outcome);
  const reply = { text, note: isReadable ? text : `(${outcome.code})` };
  return { calls, askModel: calls === 1 || isReadable, reply };
}

const TEXT = "No further tool call is made for this query.";
const OVER = { text: TEXT, note: TEXT };
