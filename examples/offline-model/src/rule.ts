import type { Turn } from "./turn.ts";

/** A tool that the fake model wants to call. `name` may be the bare name, by which the offered tool is found. */
export interface ToolCallDecision {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type Decision =
  | { readonly text: string }
  | { readonly toolCalls: readonly ToolCallDecision[] };

type Decide = (turn: Turn) => Decision | undefined;

/** Looks at the turn and decides, or answers undefined: the next rule is asked. */
export type Rule =
  | Decide
  | {
      /** A sentence with which the fake model explains what it can do, such as "Ask which accounts you have." */
      readonly can?: string;
      readonly decide: Decide;
    };

/** The answer of the rule for this turn. */
export function decideBy(rule: Rule, turn: Turn): Decision | undefined {
  return typeof rule === "function" ? rule(turn) : rule.decide(turn);
}
