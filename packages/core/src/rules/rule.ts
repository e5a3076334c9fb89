import type { NextTool } from "../chain/next-tool.ts";
import { ToolrailError } from "../errors.ts";
import { copyJson, type JsonObject, parseJsonText } from "../json/json.ts";
import { messageOf } from "../json/plain-text.ts";
import { isForModel, modelText } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";

/** The values that a rule reads. */
export interface RuleView {
  /** The `structuredContent`. Absent if there is none. */
  readonly structured?: unknown;
  /** The text that a model may read. Reading it throws if all text of the result is for the user alone. */
  readonly text: string;
  /** The JSON value of `text`, parsed when it is read: at most 4 MiB and 64 levels. Reading it throws if the text is not JSON. */
  readonly json: unknown;
  /** The arguments of the call. */
  readonly arguments: JsonObject;
  readonly isError: boolean;
  /** The caller: see `CallOptions`. Absent if the application gave none. */
  readonly context?: unknown;
}

/** A condition as data: a JSON Schema for each value that must match. A value that is missing does not match. */
export interface RuleSchemas {
  readonly structured?: JsonObject;
  readonly text?: JsonObject;
  readonly json?: JsonObject;
}

/** An operator's rule: after tool A, call tool B. It is for servers that have no `nextTool` for it. */
export interface CallRule {
  /** The tools whose results the rule applies to: a pattern of ids such as `"crm.check_*"`. */
  readonly after: string;
  /** The condition: a function of the result, or JSON Schemas that must match. Default: always true. */
  readonly when?: ((result: RuleView) => boolean) | RuleSchemas;
  /**
   * `"ok"` applies after results without an error, `"error"` only after errors. An invalid output that `invalidOutput: "show"` of
   * its server lets pass counts as an error, and nothing else follows one. Default `"ok"`.
   */
  readonly on?: "ok" | "error" | "any";
  /**
   * The call: a tool by its `server.tool`, with arguments that may contain `{ "$ref": "structured.id" }`. A function, which must
   * not be async, returns a call, `false`, or nothing if the rule does not apply. `false` ends the chain. If the condition or the
   * call cannot be determined, the chain ends with the error `rule-failed`.
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

/** A permission for servers to name a tool of another server in `nextTool`, by its `server.tool`. */
export interface ReachRule {
  /** The tools whose results may do so: a pattern of ids such as `"crm.*"`. */
  readonly after: string;
  /** The tools of other servers that they may name: a pattern of ids. */
  readonly reaches: string;
}

/** A rule of the operator: the call that follows a result, or a permission to name tools of other servers. */
export type Rule = CallRule | ReachRule;

/** Creates the values that a rule reads of a finished call. They are frozen copies, except the context, which is the application's. */
export function toRuleView(
  { result, arguments: args }: Pick<Hop, "result" | "arguments">,
  context: unknown,
): RuleView {
  const { structuredContent: structured, isError = false } = result;
  const texts = result.content.filter(({ type }) => type === "text");
  const view = {
    ...(structured !== undefined && { structured: copyJson(structured) }),
    ...(context !== undefined && { context }),
    ...{ arguments: copyJson(args), isError, text: modelText(result) },
  };
  const refuse = () => {
    throw ruleFailed(HIDDEN);
  };
  if (texts.length > 0 && !texts.some(isForModel))
    Object.defineProperty(view, "text", { get: refuse, enumerable: false });
  const readJson = () => {
    try {
      return parseJsonText(view.text);
    } catch (cause) {
      throw ruleFailed(messageOf(cause));
    }
  };
  Object.defineProperty(view, "json", { get: readJson }); // Not enumerable, so that no copy parses the text.
  return Object.freeze(view) as RuleView;
}

export function ruleFailed(why: string): ToolrailError {
  return new ToolrailError("rule-failed", why);
}

const HIDDEN =
  "its text is for the user alone, so a rule does not read it: use `structured`, or let the server send the text to the model too";
