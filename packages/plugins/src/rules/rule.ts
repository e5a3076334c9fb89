import type { Hop, NextTool } from "@toolrail/core";
import { modelText } from "@toolrail/core/plugin";
import { type JsonObject, withJson } from "@toolrail/json";

/** The values that a rule reads: the roots of its expressions. Content for the user alone is included, except in `text`. */
export interface RuleView {
  /** The `structuredContent`. Absent if there is none. */
  readonly structured?: unknown;
  /** The text that a model may read. */
  readonly text: string;
  /** The JSON value of `text`, parsed when it is read: at most 4 MiB and 64 levels. Reading it throws if the text is not JSON. */
  readonly json: unknown;
  /** The arguments of the call. */
  readonly arguments: JsonObject;
  readonly isError: boolean;
  /** The caller: see `CallOptions`. Absent if the application gave none. */
  readonly context?: unknown;
}

/** An operator's rule for the call after a result, for servers that have no `nextTool` for it. */
export interface CallRule {
  /** The tools whose results the rule applies to: a pattern of ids such as `"crm.check_*"`. */
  readonly after: string;
  /**
   * A condition in CEL (https://cel.dev) over `structured`, `text`, `json`, `arguments`, `isError` and `context`, as in
   * `"structured.locked"`. If it cannot be evaluated, the rule does not apply, and an event reports the reason. A rule whose
   * `next` is `false` ends the chain in that case. Default: always true.
   */
  readonly when?: string;
  /**
   * `"ok"` applies after results without an error, `"error"` only after errors. An invalid output that `invalidOutput: "show"` of
   * its server lets pass counts as an error, and nothing else follows one. Default `"ok"`.
   */
  readonly on?: "ok" | "error" | "any";
  /**
   * The call: a tool by its `server.tool`, with arguments that may contain `{ "$ref": "structured.id" }` and `{ "$cel":
   * "structured.rows.map(r, r.id)" }`. Everything else is passed on unchanged. A function returns a call, `false`, or nothing if
   * the rule does not apply. It must not be async. `false` ends the chain. If the call cannot be made, the chain ends with the
   * error `rule-failed`.
   */
  readonly next:
    | { readonly tool: string; readonly arguments?: JsonObject }
    | ((result: RuleView) => NextTool | false | undefined)
    | false;
  /** If true, the rule goes before the server's own `nextTool`. Default false. */
  readonly overrides?: boolean;
  /** The name of the rule in origins and events. Default: its position, as in `rules[0]`. */
  readonly name?: string;
}

/** A permission for servers to name a tool of another server in `nextTool`. */
export interface ReachRule {
  /** The tools whose results may do so: a pattern of ids such as `"crm.*"`. */
  readonly after: string;
  /** The tools of other servers that they may name: a pattern of ids. */
  readonly reaches: string;
}

/** A rule of the operator: the call that follows a result, or a permission to name tools of other servers. */
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
