import { type Hop, type NextTool, ToolrailError } from "@toolrail/core";
import type { NextCall } from "@toolrail/core/plugin";
import { isForUserAlone, toNextTool, toolId, toRef } from "@toolrail/core/plugin";
import { canonicalJson, isJsonObject, type JsonObject, quoted, withJson } from "@toolrail/json";
import type { CompiledRule, CompiledRules } from "./compile-rules.ts";
import { toRuleView } from "./rule.ts";

/** A result, with the caller for the conditions of rules. */
interface Situation {
  readonly hop: Hop;
  readonly context: unknown;
}

/**
 * Finds the call after a result: asks the overriding rules, then the server, then the other rules, each in order. The first
 * answer counts. Throws `rule-failed` if the rule that counts cannot make its call.
 */
export async function askRules(
  rules: CompiledRules,
  {
    hop,
    context,
    askServer,
    onSkipped,
  }: Situation & {
    askServer(): Promise<NextCall | undefined>;
    onSkipped(skipped: { readonly rule: string; readonly reason: string }): void;
  },
): Promise<NextCall | undefined> {
  const near = rules.calls.filter((rule) => rule.after(toRef(hop)));
  const first = near.filter(({ overrides }) => overrides);
  const others = near.filter(({ overrides }) => !overrides);
  const skip = (rule: CompiledRule | undefined, reason: string) => {
    if (rule) onSkipped({ rule: rule.name, reason });
  };
  const order = [...first, undefined, ...others];
  for (const [at, rule] of order.entries()) {
    const next = rule ? askRule(rule, { hop, context }) : await askServer();
    if (typeof next === "string") skip(rule, next);
    if (typeof next === "string" || next === undefined) continue;
    const before = rule
      ? `the rule "${rule.name}" went first`
      : "the server named the next tool itself";
    for (const other of order.slice(at + 1)) skip(other, before);
    if (next === false) return undefined;
    if (rule === undefined) return next;
    const { tool, arguments: args = {} } = next;
    const forUserAlone = isMadeOfHidden(rule, { hop, context, args });
    return { tool, arguments: args, rule: rule.name, forUserAlone };
  }
  return undefined;
}

/** Returns the call of a rule, `false` if it ends the chain, or the reason why it does not apply. */
function askRule(rule: CompiledRule, { hop, context }: Situation): NextTool | false | string {
  const isBad = hop.result.isError === true || hop.output.status === "invalid";
  if (rule.on !== "any" && (rule.on === "error") !== isBad) {
    return `it is for ${rule.on === "error" ? "errors" : "results without an error"}`;
  }
  const view = toRuleView(hop, context);
  const holds = rule.when ? rule.when.evaluate(view) : ALWAYS;
  const unread = holds.ok
    ? typeof holds.value !== "boolean" && "its `when` is neither true nor false"
    : `its \`when\` cannot be read: ${quoted(holds.message)}`;
  if (unread && rule.stops) {
    const message = `The chain has ended, since the rule "${quoted(rule.name)}" may have to end it: ${unread}.`;
    throw new ToolrailError("rule-failed", message);
  }
  if (unread) return unread;
  if (!holds.ok || holds.value !== true) return "its `when` is false";
  try {
    const value = rule.next(view);
    if (value === undefined || value === null) return "its `next` returned nothing";
    const next = value === false ? value : toNextTool(value);
    if (typeof next === "string") throw new ToolrailError("rule-failed", `its call ${next}`);
    return next;
  } catch (cause) {
    const isOurs = ToolrailError.isInstance(cause);
    const why = isOurs ? cause.message : "its `next` threw an error (see `cause`)";
    const message = `The rule "${quoted(rule.name)}" could not make its call. The result of ${toolId(toRef(hop))}: ${quoted(why)}.`;
    throw new ToolrailError("rule-failed", message, { cause });
  }
}

/** Returns true if a rule made these arguments, or may have made them, from content for the user alone. */
function isMadeOfHidden(
  { isOwnCode, next }: CompiledRule,
  { hop, context, args }: Situation & { readonly args: JsonObject },
): boolean {
  const { result, origin } = hop;
  const isHidden = isForUserAlone(result) && result.structuredContent !== undefined;
  if (!(isHidden || origin.forUserAlone) || Object.keys(args).length === 0) return false;
  if (isOwnCode) return true;
  const { structured, ...view } = toRuleView(hop, context);
  const read = isHidden ? view : { ...view, structured };
  try {
    const known = { ...read, arguments: origin.forUserAlone ? {} : view.arguments };
    const call = next(withJson(known, { source: result }));
    return canonicalJson(isJsonObject(call) && call.arguments) !== canonicalJson(args);
  } catch {
    return true; // The rule reads content that is not in the covered view.
  }
}

const ALWAYS = { ok: true, value: true } as const;
