import type { Hop, PendingCall, ToolrailError, ToolrailErrorCode } from "@toolrail/core";
import type { NextHop } from "@toolrail/core/adapter";

interface MadeCall<T> {
  readonly verdict: "allow";
  readonly message: string;
  readonly hop: Hop<T>;
  /** The call that the result's `nextTool` asked for. It was reported, and not made. */
  readonly notFollowed?: PendingCall;
}

/** What became of a guarded call or query; `message` is for a person. Plain JSON, if `value` is. */
export type GuardOutcome<T = unknown> =
  /** The call was made, and its output has the promised type: a model may read it. */
  | (MadeCall<T> & { readonly code: "complete"; readonly value: T })
  /** The call was made, and its result has no checked type: it is for the user, and no model may read it. */
  | (MadeCall<unknown> & { readonly code: "tool-error" | "untyped-output" })
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

/** The outcome of a call that was refused, or that failed when it was sent. */
export function toBlocked({ code, message }: ToolrailError, called = false): GuardOutcome {
  return { verdict: "block", code, message, called };
}

/** Judges the hop of a guarded call: its output is typed where the schema and the parser of the tool accept it. */
export function judgeHop(hop: Hop, next: NextHop): GuardOutcome {
  const name = `${hop.server}.${hop.tool}`;
  const asked = next.type === "call" ? next.call : next.pending;
  const { result, output } = hop;
  const made = { verdict: "allow", hop, ...(asked && { notFollowed: asked }) } as const;
  // A `nextTool` is reported, whether or not a chain would have followed it.
  const note =
    next.type === "end"
      ? output.status === "invalid"
        ? undefined
        : next.error?.message
      : `Its result asks for ${next.call.server}.${next.call.tool}: a guarded query makes one call.`;
  const say = (text: string) => (note === undefined ? text : `${text} ${note}`);
  const raw = "Its raw result is kept, and no model has read it.";
  if (result.isError === true) {
    return { ...made, code: "tool-error", message: say(`${name} reported an error. ${raw}`) };
  }
  if (result.structuredContent === undefined || output.status !== "valid") {
    const why =
      output.status === "invalid" ? output.message : `${name} sent no output that can be checked`;
    return { ...made, code: "untyped-output", message: say(`${why}. ${raw}`) };
  }
  return { ...made, code: "complete", message: say(`${name} was called.`), value: output.value };
}

/** True where the call of the query was made, or may have been. */
export function isMade(outcome: GuardOutcome | undefined): boolean {
  return outcome !== undefined && ("hop" in outcome || ("called" in outcome && outcome.called));
}

/** Which of two outcomes counts for a query: that of its call, else the last one that says something new. */
export function keepOutcome(before: GuardOutcome | undefined, now: GuardOutcome): GuardOutcome {
  return before && (isMade(before) || now.code === "step-used") ? before : now;
}
