import type { NextHop } from "../chain/next-hop.ts";
import type { ToolrailError } from "../errors.ts";
import type { Host } from "../host/host.ts";
import type { Hop } from "../result/hop.ts";
import { toModelParts } from "../result/model-parts.ts";
import { type ModelView, modelView } from "../result/model-view.ts";
import { userView } from "../result/user-view.ts";
import type { KeepOptions } from "../types/plugin.ts";
import type { GuardOutcome, QueryPhase } from "./types.ts";

/** Creates the outcome of a call that was refused, or that failed when it was sent. */
export function toBlocked({ code, message }: ToolrailError, called = false): GuardOutcome {
  return { verdict: "block", code, message, called };
}

/** Judges the hop of a guarded call. Its output is typed if the schema and the parser of the tool accept it. */
export function judgeHop(hop: Hop, next: NextHop): GuardOutcome {
  const name = `${hop.server}.${hop.tool}`;
  const notFollowed = next.type === "call" ? next.call : next.pending;
  const { result, output } = hop;
  const madeCall = { verdict: "allow", hop, ...(notFollowed && { notFollowed }) } as const;
  // A `nextTool` is reported even if no chain would follow it.
  const isInvalid = output.status === "invalid";
  const why = next.type !== "end" || isInvalid ? undefined : next.error?.message;
  const note =
    next.type === "end"
      ? why
      : `Its result asks for ${next.call.server}.${next.call.tool}: a guarded query makes one call.`;
  const withNote = (text: string) => (note ? `${text} ${note}` : text);
  const raw = "Its raw result is kept, and no model has read it.";
  if (result.isError === true) {
    return {
      ...madeCall,
      code: "tool-error",
      message: withNote(`${name} reported an error. ${raw}`),
    };
  }
  if (output.status !== "valid") {
    const defect = isInvalid ? output.message : `${name} sent no output that can be checked`;
    return { ...madeCall, code: "untyped-output", message: withNote(`${defect}. ${raw}`) };
  }
  return {
    ...madeCall,
    code: "complete",
    message: withNote(`${name} was called.`),
    value: output.value,
  };
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
  const text = describeForModel(outcome);
  const isError = outcome.code !== "needs-more-info";
  return { content: [{ type: "text", text }], isError, placeholder: true, userOnly: false };
}

function describeForModel(outcome: GuardOutcome): string {
  if ("hop" in outcome) {
    return "The tool was called. Its result has no checked type and is for the user alone.";
  }
  if (outcome.verdict !== "block" || !outcome.called) return `Refused: ${outcome.message}`;
  return `The tool was called, but the call failed (${outcome.code}).`;
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
  /** The maximum number of tool calls in the model's answer. Others are dropped. */
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
