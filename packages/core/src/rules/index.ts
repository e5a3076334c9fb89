/** The operator's rules: the call that follows a result. @module */

export type { CallRule, ReachRule, Rule, RuleSchemas, RuleView } from "./rule.ts";

import { type NextTool, toNextTool } from "../chain/next-tool.ts";
import { ToolrailError } from "../errors.ts";
import { quoted } from "../json/plain-text.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { NextCall, Use } from "../types/plugin.ts";
import { type Tool, toolId } from "../types/tool.ts";
import { type CompiledReach, type CompiledRule, compileRules } from "./compile-rules.ts";
import { isReach, type Rule, toRuleView } from "./rule.ts";

/**
 * Creates a plugin of the operator's rules, which decide the call that follows a result. The first rule that applies counts, and
 * a server's `nextTool` goes before it. Each call passes all stages, and its origin names the rule.
 */
export function rules(list: readonly Rule[]): Use {
  return ({ report, now, validator, watchNames }) => {
    const { calls, reaches } = compileRules(list, validator);
    watchNames(
      list.flatMap((rule, index) =>
        toolNames(rule).map((pattern) => ({ option: `rules[${index}]`, pattern })),
      ),
    );
    return {
      name: "rules",
      nextCall: (hop, { context, tools, next }) =>
        askRules(calls, {
          hop,
          context,
          askServer: async () => letReach(await next(), { hop, tools, reaches }),
          onSkipped(rule, reason) {
            const { runId, callId, server, tool } = hop;
            const skipped = { rule, reason, runId, callId, tool: `${server}.${tool}` };
            report({ type: "rule-skipped", atMs: now(), ...skipped });
          },
        }),
    };
  };
}

function toolNames(rule: Rule): readonly string[] {
  if (isReach(rule)) return [rule.after, rule.reaches];
  const { after, next } = rule;
  return next !== false && typeof next !== "function" ? [after, next.tool] : [after];
}

/** Lets the call of a server reach the one tool of another server that it names, if a rule permits that. */
function letReach(
  call: NextCall | undefined,
  about: { hop: Hop; tools: readonly Tool[]; reaches: readonly CompiledReach[] },
): NextCall | undefined {
  const { hop, tools, reaches } = about;
  const from = toRef(hop);
  const named = tools.filter(({ id, name }) => call?.tool === name || call?.tool === id);
  // The server's own tool goes first, and a call with a rule is one of another plugin.
  const isOwn = named.some(({ server, name }) => server === hop.server && name === call?.tool);
  if (!call || call.rule !== undefined || isOwn) return call;
  const found = named.flatMap((tool) => {
    const rule = reaches.find(({ after, reaches: isReached }) => after(from) && isReached(tool));
    return rule ? { tool: tool.id, rule: rule.name } : [];
  });
  const [target, ...others] = found;
  return target && others.length === 0 ? { ...call, ...target } : call;
}

/** A result, with the caller for the conditions of rules. */
interface Situation {
  readonly hop: Hop;
  readonly context: unknown;
}

interface Asking extends Situation {
  askServer(): Promise<NextCall | undefined>;
  onSkipped(rule: string, reason: string): void;
}

/**
 * Finds the call after a result: asks the overriding rules, then the server, then the other rules, each in order. The first
 * answer counts. Throws `rule-failed` if the rule that counts cannot make its call.
 */
async function askRules(
  calls: readonly CompiledRule[],
  { hop, context, askServer, onSkipped }: Asking,
): Promise<NextCall | undefined> {
  const near = calls.filter((rule) => rule.after(toRef(hop)));
  const first = near.filter(({ overrides }) => overrides);
  const others = near.filter(({ overrides }) => !overrides);
  const order = [...first, undefined, ...others];
  for (const [at, rule] of order.entries()) {
    const next = rule ? askRule(rule, { hop, context }) : await askServer();
    if (typeof next === "string" && rule) onSkipped(rule.name, next);
    if (typeof next === "string" || next === undefined) continue;
    const before = rule
      ? `the rule "${rule.name}" went first`
      : "the server named the next tool itself";
    for (const other of order.slice(at + 1)) if (other) onSkipped(other.name, before);
    if (next === false) return undefined;
    return rule
      ? { ...next, rule: rule.name, ...(rule.isConstant && { forUserAlone: false }) }
      : next;
  }
  return undefined;
}

/** Returns the call of a rule, `false` if it ends the chain, or the reason why it does not apply. */
function askRule(rule: CompiledRule, { hop, context }: Situation): NextTool | false | string {
  const isBad = hop.result.isError === true || hop.output.status === "invalid";
  if (rule.on !== "any" && (rule.on === "error") !== isBad) {
    return `it is for ${rule.on === "error" ? "errors" : "results without an error"}`;
  }
  let reading = "when";
  try {
    const view = toRuleView(hop, context);
    if (!rule.when(view)) return "its `when` is false";
    reading = "next";
    const value = rule.next(view);
    if (value === undefined || value === null) return "its `next` returned nothing";
    const next = value === false ? value : toNextTool(value);
    if (typeof next === "string") throw new ToolrailError("rule-failed", `its call ${next}`);
    return next;
  } catch (cause) {
    const isOurs = ToolrailError.isInstance(cause);
    const why = isOurs ? cause.message : `its \`${reading}\` threw an error (see \`cause\`)`;
    const message = `The rule "${quoted(rule.name)}" failed. The result of ${toolId(toRef(hop))}: ${quoted(why)}.`;
    throw new ToolrailError("rule-failed", message, { cause });
  }
}
