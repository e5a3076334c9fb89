import { type NamedTools, toPattern } from "../call/tool.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { readPath } from "../json/path.ts";
import { messageOf } from "../json/plain-text.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import {
  type CallRule,
  type ReachRule,
  type Rule,
  type RuleSchemas,
  type RuleView,
  ruleFailed,
} from "./rule.ts";

type Read = (view: RuleView) => unknown;

const checkRule = /* @__PURE__ */ createOptionCheck<CallRule>("A rule", {
  after: "text",
  when: ["function", "object"],
  on: oneOf("ok", "error", "any"),
  next: "any",
  overrides: "boolean",
  name: "text",
});
const checkReach = /* @__PURE__ */ createOptionCheck<ReachRule>("A rule", {
  after: "text",
  reaches: "text",
});
const checkWhen = /* @__PURE__ */ createOptionCheck<RuleSchemas>("`when`", {
  structured: "object",
  text: "object",
  json: "object",
});
const checkNext = /* @__PURE__ */ createOptionCheck<{ tool: string; arguments?: JsonObject }>(
  "`next`",
  { tool: "text", arguments: "object" },
);

export type ReadRules = ReturnType<typeof readRules>;
export type ReadRule = ReturnType<typeof readRule>;

/** Reads rules, with functions in place of data, and the names of tools in them. Throws `invalid-options`. */
export function readRules(rules: readonly Rule[], validator: JsonSchemaValidator) {
  if (!Array.isArray(rules) || rules.some((rule) => !isJsonObject(rule)))
    throw invalidOptions("`rules` takes a list of rules.");
  const calls: ReadRule[] = [];
  const reaches: ReturnType<typeof readReach>[] = [];
  const names: NamedTools[] = [];
  for (const [at, rule] of (rules as readonly Rule[]).entries()) {
    const place = `rules[${at}]`;
    if ("reaches" in rule) reaches.push(readReach(rule, place));
    else calls.push(readRule(rule, { place, validator }));
    const next = "reaches" in rule ? rule.reaches : typeof rule.next === "object" && rule.next.tool;
    for (const pattern of [rule.after, next]) if (pattern) names.push({ option: place, pattern });
  }
  return { calls, reaches, names };
}

function readReach(rule: ReachRule, place: string) {
  checkReach(rule, place);
  const after = toPattern(rule.after, `${place}.after`);
  return { name: place, after, reaches: toPattern(rule.reaches, `${place}.reaches`) };
}

interface Site {
  readonly place: string;
  readonly validator: JsonSchemaValidator;
}

function readRule(rule: CallRule, { place, validator }: Site) {
  checkRule(rule, place);
  const { on = "ok", name = place, overrides = false } = rule;
  const after = toPattern(rule.after, `${place}.after`);
  const when = readWhen(rule.when, { place: `${place}.when`, validator });
  return { name, after, on, when, overrides, ...readNext(rule.next, `${place}.next`) };
}

/** Returns the test of a condition, which throws if the condition cannot be read. */
function readWhen(when: CallRule["when"], { place, validator }: Site): (view: RuleView) => boolean {
  if (when === undefined) return () => true;
  if (typeof when === "function") {
    return (view) => {
      const holds: unknown = when(view);
      if (typeof holds === "boolean") return holds;
      throw ruleFailed("its `when` returned neither true nor false");
    };
  }
  checkWhen(when, place);
  const tests = Object.entries<JsonObject>({ ...when }).map(([key, schema]) => {
    try {
      const validate = validator.getValidator(structuredClone(schema));
      return (view: RuleView) => {
        const value = view[key as keyof RuleSchemas];
        return value !== undefined && validate(value).valid;
      };
    } catch (cause) {
      throw invalidOptions(`${place}.${key} is not a JSON Schema: ${messageOf(cause)}.`);
    }
  });
  return (view) => tests.every((test) => test(view));
}

/** Returns a function that makes the call. It is constant if its arguments are the same after every result. */
function readNext(
  next: CallRule["next"],
  place: string,
): { readonly next: Read; readonly isConstant: boolean } {
  if (typeof next === "function") return { next, isConstant: false };
  if (next === false) return { next: () => false, isConstant: true };
  const wanted = `${place} takes { tool: "server.tool", arguments }, a function or false.`;
  if (!isJsonObject(next)) throw invalidOptions(wanted);
  checkNext(next, place);
  const { tool, arguments: args = {} } = next;
  if (typeof tool !== "string" || !/^[^*]+\.[^*]+$/.test(tool)) throw invalidOptions(wanted);
  const read = readValue(args, `${place}.arguments`);
  const isConstant = read === undefined;
  return { isConstant, next: (view) => ({ tool, arguments: read ? read(view) : args }) };
}

const ROOTS = ["structured", "text", "json", "arguments", "isError", "context"];
/** The beginning of what would be a reference in a pipe. */
const TEMPLATE = new RegExp(`\\$\\{(${ROOTS.join("|")})\\b`);
const USE_REF = 'which a rule sends as it is: write { $ref: "structured.…" }, or a function';

/** Returns a function that makes a value, or `undefined` if the value is constant. */
function readValue(value: unknown, place: string): Read | undefined {
  const [template] = typeof value === "string" ? (TEMPLATE.exec(value) ?? []) : [];
  if (template) throw invalidOptions(`${place} contains "${template}", ${USE_REF} as \`next\`.`);
  if (typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value) && Object.keys(value).length === 1 && typeof value.$ref === "string")
    return readReference(value.$ref, place);
  const parts = Object.entries(value).map(([key, inner]) => {
    return [key, inner, readValue(inner, `${place}.${key}`)] as const;
  });
  if (parts.every(([, , read]) => read === undefined)) return undefined;
  return (view) => {
    const members = parts.map(([key, inner, read]) => [key, read ? read(view) : inner] as const);
    return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
  };
}

function readReference(path: string, place: string): Read {
  const keys = path.split(".");
  if (!ROOTS.includes(keys[0] ?? "") || keys.includes("")) {
    const roots = ROOTS.join(", ");
    throw invalidOptions(`${place} refers to "${path}"; it must be in ${roots}: "structured.id".`);
  }
  return (view) => {
    const reading = readPath(view, { keys });
    if (reading.found && reading.value !== undefined) return reading.value;
    throw ruleFailed(`there is no ${path}`);
  };
}
