/** The operator's rules: the call that follows a result. @module */

export type { CallRule, ReachRule, Rule, RuleSchemas, RuleView } from "./read-rules.ts";

import type { NextCall, Use } from "../call/plugin.ts";
import { type Tool, toolId } from "../call/tool.ts";
import { toNextTool } from "../chain/next-tool.ts";
import { ToolrailError } from "../errors.ts";
import { copyJson, parseJsonText } from "../json/json.ts";
import { messageOf, quoted } from "../json/plain-text.ts";
import { isForModel, modelText } from "../result/call-tool-result.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { ReadRule, ReadRules, Rule, RuleView } from "./read-rules.ts";
import { readRules, ruleFailed } from "./read-rules.ts";

/**
 * Creates a plugin of the operator's rules, which decide the call that follows a result. The first rule that applies counts, and
 * a server's `nextTool` goes before it. Each call passes all stages, and its origin names the rule.
 */
export function rules(list: readonly Rule[]): Use {
  return ({ validator, watchNames }) => {
    const { calls, reaches, names } = readRules(list, validator);
    watchNames(names);
    return {
      name: "rules",
      async nextCall(hop, { context, tools, next }) {
        const near = calls.filter(({ after }) => after(toRef(hop)));
        const ask = (overrides: boolean) => {
          for (const rule of near.filter((one) => one.overrides === overrides)) {
            const answer = askRule(rule, { hop, context });
            if (answer !== undefined) return answer;
          }
          return undefined;
        };
        const call = ask(true) ?? letReach(await next(), { hop, tools, reaches }) ?? ask(false);
        return call || undefined;
      },
    };
  };
}

/** Returns the call of a rule, `false` if it ends the chain, or `undefined` if it does not apply. Throws `malformed-next-tool`. */
function askRule(
  { name, on, when, next, isConstant }: ReadRule,
  { hop, context }: { readonly hop: Hop; readonly context: unknown },
): NextCall | false | undefined {
  if (on !== "any" && (on === "error") !== (hop.result.isError === true)) return undefined;
  try {
    const view = toRuleView(hop, context);
    const value: unknown = when(view) ? next(view) : undefined;
    if (value === false) return false;
    if (value === undefined || value === null) return undefined;
    const call = toNextTool(value);
    if (typeof call === "string") throw ruleFailed(`its call ${call}`);
    return { ...call, rule: name, ...(isConstant && { forUserAlone: false }) };
  } catch (cause) {
    const isOurs = ToolrailError.isInstance(cause);
    const why = isOurs ? cause.message : "its function threw an error (see `cause`)";
    const message = `The rule "${quoted(name)}" failed. The result of ${toolId(toRef(hop))}: ${quoted(why)}.`;
    throw new ToolrailError("malformed-next-tool", message, { cause });
  }
}

interface Reach extends Pick<ReadRules, "reaches"> {
  readonly hop: Hop;
  readonly tools: readonly Tool[];
}

/** Lets the call of a server reach the one tool of another server that it names, if a rule permits that. */
function letReach(
  call: NextCall | undefined,
  { hop, tools, reaches }: Reach,
): NextCall | undefined {
  const named = tools.filter(({ id, name }) => call?.tool === name || call?.tool === id);
  // The server's own tool goes first, and a call with a rule is one of another plugin.
  const isOwn = named.some(({ server, name }) => server === hop.server && name === call?.tool);
  if (!call || call.rule !== undefined || isOwn) return call;
  const permitting = reaches.filter(({ after }) => after(toRef(hop)));
  const [target, ...others] = named.flatMap((tool) => {
    const rule = permitting.find((one) => one.reaches(tool));
    return rule ? { tool: tool.id, rule: rule.name } : [];
  });
  return target && others.length === 0 ? { ...call, ...target } : call;
}

/** Creates the values that a rule reads of a finished call. They are frozen copies, except the context, which is the application's. */
function toRuleView({ result, arguments: args }: Hop, context: unknown): RuleView {
  const { structuredContent: structured, isError = false } = result;
  const texts = result.content.filter(({ type }) => type === "text");
  const isHidden = texts.length > 0 && !texts.some(isForModel);
  const readText = () => {
    if (isHidden) throw ruleFailed(HIDDEN);
    return modelText(result);
  };
  const readJson = () => {
    const text = readText();
    try {
      return parseJsonText(text);
    } catch (cause) {
      throw ruleFailed(messageOf(cause));
    }
  };
  const view = {
    ...(structured !== undefined && { structured: copyJson(structured) }),
    ...(context !== undefined && { context }),
    ...{ arguments: copyJson(args), isError },
  };
  // A copy of the view neither parses the text nor reads a hidden one.
  const readers = { text: { get: readText, enumerable: !isHidden }, json: { get: readJson } };
  return Object.freeze(Object.defineProperties(view, readers)) as RuleView;
}

const HIDDEN =
  "its text is for the user alone, so a rule does not read it: use `structured`, or let the server send the text to the model too";
