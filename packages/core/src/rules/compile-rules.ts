import { toPattern } from "../call/tool-patterns.ts";
import { ToolrailError } from "../errors.ts";
import { type JsonSchemaValidator, schemaDefect } from "../json/check-schema.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { readPath } from "../json/path.ts";
import { messageOf } from "../json/plain-text.ts";
import { suggestName } from "../nearest-name.ts";
import { type CallRule, isReach, type Rule, type RuleView } from "./rule.ts";

type Read = (view: RuleView) => unknown;

/** A checked rule, with functions in place of data. */
export interface CompiledRule extends Required<Pick<CallRule, "name" | "on" | "overrides">> {
  readonly after: ReturnType<typeof toPattern>;
  /** Throws if the condition cannot be read. */
  readonly when: (view: RuleView) => boolean;
  /** Returns the call, `false` for the end of the chain, or nothing. Throws if it cannot be made. */
  readonly next: Read;
  /** True if its arguments are the same after every result. */
  readonly isConstant: boolean;
}

/** A checked permission to name tools of other servers. */
export interface CompiledReach extends Pick<CompiledRule, "name" | "after"> {
  readonly reaches: CompiledRule["after"];
}

export interface CompiledRules {
  readonly calls: readonly CompiledRule[];
  readonly reaches: readonly CompiledReach[];
}

const VALUES = ["structured", "text", "json", "arguments", "isError", "context"];
const SCHEMAS = ["structured", "text", "json"] as const;
/** The beginning of what would be a reference in a pipe. */
const TEMPLATE = new RegExp(`\\$\\{(${VALUES.join("|")})\\b`);
const USE_REF =
  'which a rule sends as it is: write { $ref: "structured.…" }, or a function as `next`';
const KEYS = ["after", "when", "on", "next", "overrides", "name", "reaches"];

/** Checks rules. Throws `invalid-options` for a rule that could never work. */
export function compileRules(
  rules: readonly Rule[],
  validator: JsonSchemaValidator,
): CompiledRules {
  if (!Array.isArray(rules) || rules.some((rule) => !isJsonObject(rule)))
    throw wrong("rules", "must be a list of rules");
  const calls: CompiledRule[] = [];
  const reaches: CompiledReach[] = [];
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
      reaches.push({ name: place, after, reaches: reached });
    } else calls.push(compileRule(rule, { place, after, validator }));
  }
  return { calls, reaches };
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
  readonly validator: JsonSchemaValidator;
}

function compileRule(rule: CallRule, placed: Placed): CompiledRule {
  const { place, after, validator } = placed;
  const { on = "ok", name = place, overrides = false } = rule;
  if (!["ok", "error", "any"].includes(on)) throw wrong(place, 'has `on`: "ok", "error" or "any"');
  const when = compileCondition(rule.when, { place: `${place}.when`, validator });
  return { name, on, overrides, after, when, ...compileNext(rule, placed) };
}

function compileCondition(
  when: CallRule["when"],
  { place, validator }: Pick<Placed, "place" | "validator">,
): CompiledRule["when"] {
  if (when === undefined) return () => true;
  if (typeof when === "function") {
    return (view) => {
      const holds: unknown = when(view);
      if (typeof holds === "boolean") return holds;
      throw failed("its `when` returned neither true nor false");
    };
  }
  if (!isJsonObject(when) || Object.keys(when).length === 0)
    throw wrong(place, `must be a function, or JSON Schemas for ${SCHEMAS.join(", ")}`);
  const tests = Object.entries(when).map(([key, schema]) => {
    if (!SCHEMAS.includes(key as "text"))
      throw wrong(place, `has no "${key}". ${suggestName(key, SCHEMAS)}`);
    const validate = compileSchema(schema, { place: `${place}.${key}`, validator });
    return (view: RuleView) => {
      const value = view[key as "text"] as unknown;
      return value !== undefined && validate(value).valid;
    };
  });
  return (view) => tests.every((test) => test(view));
}

function compileSchema(
  schema: unknown,
  { place, validator }: Pick<Placed, "place" | "validator">,
): ReturnType<JsonSchemaValidator["getValidator"]> {
  const defect = schemaDefect(schema);
  if (defect) throw wrong(place, `is not a JSON Schema: ${defect}`);
  try {
    return validator.getValidator(structuredClone(schema as JsonObject));
  } catch (cause) {
    throw wrong(place, `is not a JSON Schema: ${messageOf(cause)}`);
  }
}

function compileNext(
  { when, next }: CallRule,
  { place, after }: Placed,
): Pick<CompiledRule, "next" | "isConstant"> {
  if (typeof next === "function") return { next, isConstant: false };
  if (next === false) return { next: () => false, isConstant: true };
  if (!isJsonObject(next)) throw wrong(`${place}.next`, NEXT);
  const { tool, arguments: args = {}, ...rest } = next;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) {
    const hint = suggestName(unknown, ["tool", "arguments"]);
    throw wrong(`${place}.next`, `has no "${unknown}". ${hint}`);
  }
  if (typeof tool !== "string" || !/^[^*]+\.[^*]+$/.test(tool)) throw wrong(`${place}.next`, NEXT);
  const read = compileValue(args, `${place}.next.arguments`);
  if (after(tool) && !read && when === undefined) {
    throw wrong(place, `leads from ${tool} back to the same call; give it a \`when\``);
  }
  const isConstant = read === undefined;
  return { isConstant, next: (view) => ({ tool, arguments: read ? read(view) : args }) };
}

const NEXT = 'must be { tool: "server.tool", arguments }, a function or false';

/** Returns a function that makes a value, or `undefined` if the value is constant. */
function compileValue(value: unknown, place: string): Read | undefined {
  const [template] = typeof value === "string" ? (TEMPLATE.exec(value) ?? []) : [];
  if (template) throw wrong(place, `contains "${template}", ${USE_REF}`);
  if (typeof value !== "object" || value === null) return undefined;
  if (isJsonObject(value) && Object.keys(value).length === 1 && typeof value.$ref === "string")
    return compileReference(value.$ref, place);
  const parts = Object.entries(value).map(([key, inner]) => {
    return [key, inner, compileValue(inner, `${place}.${key}`)] as const;
  });
  if (parts.every(([, , read]) => read === undefined)) return undefined;
  return (view) => {
    const members = parts.map(([key, inner, read]) => [key, read ? read(view) : inner] as const);
    return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
  };
}

function compileReference(path: string, place: string): Read {
  const keys = path.split(".");
  if (!VALUES.includes(keys[0] ?? "") || keys.includes("")) {
    throw wrong(place, `must refer to one of ${VALUES.join(", ")}, as in "structured.id"`);
  }
  return (view) => {
    try {
      const reading = readPath(view, { keys });
      if (reading.found && reading.value !== undefined) return reading.value;
    } catch (cause) {
      throw failed(`${path} cannot be read: ${messageOf(cause)}`);
    }
    throw failed(`there is no ${path}`);
  };
}

function failed(why: string): ToolrailError {
  return new ToolrailError("rule-failed", why);
}

function wrong(place: string, why: string): ToolrailError {
  const end = /[.?]$/.test(why) ? "" : ".";
  return new ToolrailError("invalid-options", `\`${place}\` ${why}${end}`);
}
