import { z } from "zod";
import { type NamedTools, toPattern } from "../call/tool.ts";
import type { NextTool } from "../chain/next-tool.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { isAlmostReference, readPath } from "../json/path.ts";
import { messageOf, sentence, shorten } from "../json/plain-text.ts";
import { jsonObject, name, readShape } from "../json/shape.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";

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

const schema = /* @__PURE__ */ jsonObject.exactOptional();
const WHEN = /* @__PURE__ */ z.strictObject({ structured: schema, text: schema, json: schema });
/** A condition as data: a JSON Schema for each value that must match. A value that is missing does not match. */
export type RuleSchemas = Readonly<z.infer<typeof WHEN>>;

/** An operator's rule: after tool A, call tool B. It is for servers that have no `nextTool` for it. */
export interface CallRule {
  /** The tools whose results the rule applies to: a pattern of ids such as `"crm.check_*"`. */
  readonly after: string;
  /** The condition: a function of the result, or JSON Schemas that must match. Default: always true. */
  readonly when?: ((result: RuleView) => boolean) | RuleSchemas;
  /** `"ok"` applies after results without an error, `"error"` only after errors. Nothing follows an invalid output. Default `"ok"`. */
  readonly on?: "ok" | "error" | "any";
  /**
   * The call: a tool by its `server.tool`, with arguments that may contain `{ "$ref": "structured.id" }`. A function, which must
   * not be async, returns a call, `false`, or nothing if the rule does not apply. `false` ends the chain. If the condition or the
   * call cannot be determined, the chain ends with the error `malformed-next-tool`.
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

const CALL_RULE = /* @__PURE__ */ z.strictObject({
  after: name,
  when: z.unknown().optional(),
  on: z.enum(["ok", "error", "any"]).optional(),
  next: z.unknown().optional(),
  overrides: z.boolean().optional(),
  name: z.string().optional(),
});
const REACH_RULE = /* @__PURE__ */ z.strictObject({ after: name, reaches: name });
const NEXT = /* @__PURE__ */ z.strictObject(
  {
    tool: z.string().regex(/^[^*]+\.[^*]+$/, 'must be a "server.tool"'),
    arguments: jsonObject.optional(),
  },
  { error: ({ code }) => (code === "invalid_type" ? NO_CALL : undefined) },
);
const NO_CALL = 'takes { tool: "server.tool", arguments }, a function or false';

/** Throws `invalid-options` for a part of a rule that does not fit, with its place. */
function check(schema: z.ZodType, value: unknown, place: string): void {
  const { defect } = readShape(schema, value, place);
  if (defect !== undefined) throw invalidOptions(sentence(defect));
}

type ReadReach = { readonly name: string } & Record<keyof ReachRule, ReturnType<typeof toPattern>>;
export type ReadRules = ReturnType<typeof readRules>;
export type ReadRule = ReturnType<typeof readRule>;

/** Reads rules, with functions in place of data, and the names of tools in them. Throws `invalid-options`. */
export function readRules(rules: readonly Rule[], validator: JsonSchemaValidator) {
  if (!Array.isArray(rules)) throw invalidOptions("`rules` takes a list of rules.");
  const calls: ReadRule[] = [];
  const reaches: ReadReach[] = [];
  const names: NamedTools[] = [];
  for (const [at, rule] of rules.entries()) {
    const name = `rules[${at}]`;
    check(isJsonObject(rule) && "reaches" in rule ? REACH_RULE : CALL_RULE, rule, name);
    if ("reaches" in rule) {
      const [after, reached] = [toPattern(rule.after, name), toPattern(rule.reaches, name)];
      reaches.push({ name, after, reaches: reached });
    } else {
      calls.push(readRule(rule, name, validator));
    }
    const named = [rule.after, "reaches" in rule ? rule.reaches : Object(rule.next).tool];
    names.push(...named.flatMap((pattern) => (pattern ? { option: name, pattern } : [])));
  }
  return { calls, reaches, names };
}

function readRule(rule: CallRule, place: string, validator: JsonSchemaValidator) {
  const { on = "ok", name = place, overrides = false } = rule;
  const after = toPattern(rule.after, place);
  const when = readWhen(rule.when, `${place}.when`, validator);
  return { name, after, on, overrides, when, ...readNext(rule.next, `${place}.next`) };
}

/** Returns the test of a condition, which throws if the condition cannot be read. */
function readWhen(
  when: CallRule["when"],
  place: string,
  validator: JsonSchemaValidator,
): (view: RuleView) => boolean {
  if (when === undefined) return () => true;
  if (typeof when === "function") {
    return (view) => {
      const holds: unknown = when(view);
      if (typeof holds === "boolean") return holds;
      throw ruleFailed("its `when` returned neither true nor false");
    };
  }
  check(WHEN, when, place);
  const tests = Object.entries(when).map(([key, schema]) => {
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
function readNext(next: CallRule["next"], place: string) {
  if (typeof next === "function") return { next, isConstant: false };
  if (next === false) return { next: () => next, isConstant: true };
  check(NEXT, next, place);
  const { tool, arguments: args = {} } = next;
  let isConstant = true;
  fillIn(args, `${place}.arguments`, (path, at) => {
    isConstant = false;
    const keys = path.split(".");
    if (ROOTS.includes(keys[0] ?? "") && !keys.includes("")) return;
    const roots = ROOTS.join(", ");
    throw invalidOptions(`${at} refers to "${path}"; it must be in ${roots}: "structured.id".`);
  });
  const call = (view: RuleView) => {
    const filled = fillIn(args, "", (path) => {
      const reading = readPath(view, { keys: path.split(".") });
      if (reading.found && reading.value !== undefined) return reading.value;
      throw ruleFailed(`there is no ${path}`);
    });
    return { tool, arguments: filled };
  };
  return { next: call, isConstant };
}

const ROOTS = ["structured", "text", "json", "arguments", "isError", "context"];
/** The beginning of what would be a reference in a pipe. */
const TEMPLATE = new RegExp(`\\$\\{(${ROOTS.join("|")})\\b`);
const USE_REF = 'which a rule sends as it is: write { $ref: "structured.…" }, or a function';

/** Copies a value, with what `read` returns in place of each reference. Throws for what only looks like one. */
function fillIn(
  value: unknown,
  place: string,
  read: (path: string, place: string) => unknown,
): unknown {
  const [template] = typeof value === "string" ? (TEMPLATE.exec(value) ?? []) : [];
  const almost = isAlmostReference(value) ? shorten(JSON.stringify(value)) : undefined;
  const unread = almost ?? (template && `"${template}"`);
  if (unread) throw invalidOptions(`${place} contains ${unread}, ${USE_REF} as \`next\`.`);
  if (Array.isArray(value)) return value.map((item, at) => fillIn(item, `${place}.${at}`, read));
  if (!isJsonObject(value)) return value;
  const { $ref, ...others } = value;
  if (typeof $ref === "string" && Object.keys(others).length === 0) return read($ref, place);
  const members = Object.entries(value).map(([key, inner]) => {
    return [key, fillIn(inner, `${place}.${key}`, read)] as const;
  });
  return Object.fromEntries(members);
}

export function ruleFailed(why: string): ToolrailError {
  return new ToolrailError("malformed-next-tool", why);
}
