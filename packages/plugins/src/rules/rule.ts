import type { Hop, NextTool } from "@toolrail/core";
import { modelText } from "@toolrail/core/plugin";
import { type JsonObject, withJson } from "@toolrail/json";

/** What a rule reads of a result, content for the user alone included but in `text`: the roots of its expressions. */
export interface RuleView {
  /** `structuredContent`; absent where there is none. */
  readonly structured?: unknown;
  /** The text that a model may read. */
  readonly text: string;
  /** The JSON value of `text`, parsed when it is read: at most 4 MiB and 64 levels. Reading it throws if it is not JSON. */
  readonly json: unknown;
  /** The arguments that the call was made with. */
  readonly arguments: JsonObject;
  readonly isError: boolean;
  /** Who calls: see `CallOptions`. Absent where the application stated nothing. */
  readonly context?: unknown;
}

/** What follows from a result by the word of the operator, for servers that do not say `nextTool` themselves. */
export interface CallRule {
  /** The tools after whose results it stands: a pattern of ids such as `"crm.check_*"`. */
  readonly after: string;
  /**
   * A condition in CEL (https://cel.dev) over `structured`, `text`, `json`, `arguments`, `isError` and `context`, as
   * `"structured.locked"`. If it cannot be read, the rule does not apply, and an event says why; a rule whose `next` is
   * `false` then ends the chain. Default: always.
   */
  readonly when?: string;
  /**
   * `"ok"`: not after errors; `"error"`: after these alone. An invalid output that `invalidOutput: "show"` of its server lets pass counts as
   * an error; nothing else follows one. Default `"ok"`.
   */
  readonly on?: "ok" | "error" | "any";
  /**
   * The call, to a tool by its `server.tool`. Its arguments may hold `{ "$ref": "structured.id" }` and
   * `{ "$cel": "structured.rows.map(r, r.id)" }`; all else is passed on as it is. A function answers at once with a call,
   * with `false`, or with nothing where the rule does not apply. `false` ends the chain. Where the call cannot be
   * made out, the chain ends with the error `rule-failed`.
   */
  readonly next:
    | { readonly tool: string; readonly arguments?: JsonObject }
    | ((result: RuleView) => NextTool | false | undefined)
    | false;
  /** True puts it before what the server asks for itself. Default false: a server's own `nextTool` goes first. */
  readonly overrides?: boolean;
  /** How origins and events name it. Default: its place, as `rules[0]`. */
  readonly name?: string;
}

/** Lets a server name a tool of another in its own `nextTool`. */
export interface ReachRule {
  /** The tools whose results may do so: a pattern of ids such as `"crm.*"`. */
  readonly after: string;
  /** The tools of other servers that they may name: a pattern of ids. */
  readonly reaches: string;
}

/** A rule of the operator's: what follows from a result, or which tools of other servers a `nextTool` may name. */
export type Rule = CallRule | ReachRule;

export function isReach(rule: Rule): rule is ReachRule {
  return "reaches" in rule;
}

export function toRuleView({ result, arguments: args }: Hop, context: unknown): RuleView {
  const { structuredContent: structured, isError = false } = result;
  const view = { text: modelText(result), arguments: args, isError };
  const more = {
    ...(structured !== undefined && { structured }),
    ...(context !== undefined && { context }),
  };
  return withJson({ ...view, ...more }, { source: result });
}
