import { type ToolRef, ToolrailError } from "@toolrail/core";
import { suggestName, toPattern } from "@toolrail/core/plugin";
import { copyJson, isJsonObject, messageOf, readPath, withJson } from "@toolrail/json";
import type { Expression } from "@toolrail/json/cel";
import { type CallRule, isReach, type Rule, type RuleView } from "./rule.ts";

type Read = (view: RuleView) => unknown;

export interface CompiledRule extends Required<Pick<CallRule, "name" | "on" | "overrides">> {
  readonly after: ReturnType<typeof toPattern>;
  readonly when: Expression | undefined;
  readonly stops: boolean;
  /** Returns the call, `false` for the end of the chain, or nothing. Throws if it cannot be made. */
  readonly next: Read;
  /** True if `next` is a function of the application. */
  readonly isOwnCode: boolean;
}

export interface CompiledRules {
  readonly calls: readonly CompiledRule[];
  /** Returns true if a server may name this tool of another server in its `nextTool`. */
  mayReach(from: ToolRef, to: ToolRef): boolean;
}

const RULE_ROOTS = ["structured", "text", "json", "arguments", "isError", "context"];
/** The beginning of what would be a reference in a pipe. */
const TEMPLATE = new RegExp(`\\$\\{(${RULE_ROOTS.join("|")})\\b`);
const USE_REF =
  'which a rule sends as it is: write { $ref: "structured.…" }, or a function as `next`';
const KEYS = ["after", "when", "on", "next", "overrides", "name", "reaches"];

/** Checks rules, and loads CEL if one of them needs it. Rejects with `invalid-options` for a rule that could never work. */
export async function compileRules(rules: readonly Rule[]): Promise<CompiledRules> {
  if (!Array.isArray(rules) || rules.some((rule) => !isJsonObject(rule)))
    throw wrong("rules", "must be a list of rules");
  const hasCel = (rule: Rule) => !isReach(rule) && (rule.when !== undefined || holdsCel(rule.next));
  const cel = rules.some(hasCel) ? await import("@toolrail/json/cel") : undefined;
  const calls: CompiledRule[] = [];
  const reaches: CompiledRules["mayReach"][] = [];
  for (const [at, rule] of rules.entries()) {
    const place = `rules[${at}]`;
    const unknown = Object.keys(rule).find((key) => !KEYS.includes(key));
    if (unknown !== undefined)
      throw wrong(place, `has no "${unknown}". ${suggestName(unknown, KEYS)}`);
    const before = rules.slice(0, at).findIndex((other) => alwaysComesFirst(other, rule));
    if (before >= 0) throw wrong(place, `never applies: rules[${before}] always comes first`);
    const after = toPattern(rule.after, `${place}.after`);
    if (isReach(rule)) {
      const reached = toPattern(rule.reaches, `${place}.reaches`);
      reaches.push((from, to) => after(from) && reached(to));
    } else calls.push(compileRule(rule, { place, after, cel }));
  }
  return { calls, mayReach: (from, to) => reaches.some((reach) => reach(from, to)) };
}

function alwaysComesFirst(before: Rule, rule: Rule): boolean {
  if (isReach(before) || isReach(rule)) return false;
  if (before.when !== undefined || typeof before.next === "function") return false;
  const situation = ({ after, on = "ok", overrides = false }: CallRule) =>
    [after, on, overrides].join();
  return situation(before) === situation(rule);
}

interface Placed extends Pick<CompiledRule, "after"> {
  readonly place: string;
  readonly cel: Pick<typeof import("@toolrail/json/cel"), "parseExpression"> | undefined;
}

function holdsCel(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "$cel") || Object.values(value).some(holdsCel);
}

function compileRule(rule: CallRule, placed: Placed): CompiledRule {
  const { place, after, cel } = placed;
  const { on = "ok", when, name = place, overrides = false } = rule;
  if (!["ok", "error", "any"].includes(on)) throw wrong(place, 'has `on`: "ok", "error" or "any"');
  const whenPlace = { place: `${place}.when`, cel };
  return {
    ...{ name, on, overrides, after },
    when: when === undefined ? undefined : compileExpression(when, whenPlace),
    stops: rule.next === false,
    next: compileNext(rule, placed),
    isOwnCode: typeof rule.next === "function",
  };
}

function compileNext({ when, next }: CallRule, { place, after, cel }: Placed): Read {
  if (typeof next === "function") return (view) => next(toOwnView(view));
  if (next === false) return () => false;
  const { tool, arguments: args = {}, ...rest } = next ?? {};
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    const hint = suggestName(unknown, ["tool", "arguments"]);
    throw wrong(`${place}.next`, `has no "${unknown}". ${hint}`);
  }
  if (typeof tool !== "string" || !/^[^*]+\.[^*]+$/.test(tool)) {
    throw wrong(`${place}.next`, 'must be { tool: "server.tool", arguments }, a function or false');
  }
  const read = compileValue(args, { place: `${place}.next.arguments`, cel });
  if (after(tool) && !read && when === undefined) {
    throw wrong(place, `leads from ${tool} back to the same call; give it a \`when\``);
  }
  return (view) => ({ tool, arguments: read ? read(view) : args });
}

/** Copies a view, so that the application's function cannot change it. The context is the application's and not copied. */
function toOwnView({ structured, arguments: args, ...rest }: RuleView): RuleView {
  const copied = structured !== undefined && { structured: copyJson(structured) };
  const own = { ...rest, ...copied, arguments: copyJson(args) };
  return Object.freeze(withJson(own, { source: own }));
}

/** Returns a function that makes a value, or `undefined` if the value is constant. */
function compileValue(
  value: unknown,
  { place, cel }: Pick<Placed, "place" | "cel">,
): Read | undefined {
  const [template] = typeof value === "string" ? (TEMPLATE.exec(value) ?? []) : [];
  if (template) throw wrong(place, `contains "${template}", ${USE_REF}`);
  if (typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value) && Object.keys(value).length === 1) {
    if (typeof value.$ref === "string") return compileReference(value.$ref, place);
    if (value.$cel !== undefined) {
      const expression = compileExpression(value.$cel, { place, cel });
      return (view) => {
        const evaluation = expression.evaluate(view);
        if (evaluation.ok) return evaluation.value;
        throw failed(`${expression.source}: ${evaluation.message}`);
      };
    }
  }
  const parts = Object.entries(value).map(([key, inner]) => {
    return [key, inner, compileValue(inner, { place: `${place}.${key}`, cel })] as const;
  });
  if (parts.every(([, , read]) => read === undefined)) return undefined;
  return (view) => {
    const members = parts.map(([key, inner, read]) => [key, read ? read(view) : inner] as const);
    return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
  };
}

function compileReference(path: string, place: string): Read {
  const keys = path.split(".");
  if (!RULE_ROOTS.includes(keys[0] ?? "") || keys.includes("")) {
    throw wrong(place, `must refer to one of ${RULE_ROOTS.join(", ")}, as in "structured.id"`);
  }
  return (view) => {
    try {
      const reading = readPath(view, { keys });
      if (reading.found && reading.value !== undefined) return reading.value;
    } catch (cause) {
      throw failed(`${path} cannot be read: ${messageOf(cause)}`); // The text is not JSON.
    }
    throw failed(`there is no ${path}`);
  };
}

function compileExpression(
  source: unknown,
  { place, cel }: Pick<Placed, "place" | "cel">,
): Expression {
  const expression =
    cel && typeof source === "string"
      ? cel.parseExpression(source, { roots: RULE_ROOTS })
      : "an expression must be a string";
  if (typeof expression === "string")
    throw wrong(place, `is not a valid expression: ${expression}`);
  return expression;
}

function failed(why: string): ToolrailError {
  return new ToolrailError("rule-failed", why);
}

function wrong(place: string, why: string): ToolrailError {
  const end = /[.?]$/.test(why) ? "" : ".";
  return new ToolrailError("invalid-options", `\`${place}\` ${why}${end}`);
}
