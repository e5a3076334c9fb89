import type { Turn } from "./turn.ts";

/** A tool that the fake model wants to call. `name` may be the bare name; it is matched to an offered tool. */
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
      /** One sentence the fake model uses to say what it can do, such as "Ask which accounts you have." */
      readonly can?: string;
      readonly decide: Decide;
    };

/** What the rule answers for this turn. */
export function decideBy(rule: Rule, turn: Turn): Decision | undefined {
  return typeof rule === "function" ? rule(turn) : rule.decide(turn);
}
