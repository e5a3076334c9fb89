import { validate } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject } from "../json.ts";
import { messageOf } from "../plain-text.ts";
import { type Pattern, patternCost, patternSteps } from "../regexp/cost.ts";
import { COST_KEYWORD, FORMATS, type Spend, toValidator } from "./bounded-validator.ts";
import type { JsonSchemaValidator, ValidatorOptions } from "./check-schema.ts";
import { checkValidatorOptions, unusableSchema } from "./check-schema.ts";
import { objectOf, subschemasOf } from "./subschemas.ts";

/** The maximum work for one value: a tenth of what compiled checks may do, since each step takes longer here. */
const MAX_COST = 2_000_000;
/** The steps of patterns that take the time of one step, and those that each test takes at least. */
const PATTERN_STEPS = 150;
const STEPS_OF_TEST = 100;
/** The number of characters that can be counted in the time of one step. */
const CHARACTERS_PER_STEP = 200;
/** The longest text that a pattern is tested on. */
const MAX_PATTERN_TEXT = 2_000;
/** The cost of comparing a part of an item with a part of another, and of comparing two items that have no parts. */
const COST_OF_COMPARING = 1 / 20;
const COST_OF_PLAIN_ITEM = 1 / 400;

const [COUNT, SCHEMA, TEXTS] = [
  { type: "integer", minimum: 0 },
  { type: ["object", "boolean"] },
  { type: "array", items: { type: "string" } },
];
const TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];
/** The values that keywords may have. The library takes them on trust, and some others would make it check nothing. */
const FORMS: readonly (readonly [form: JsonObject, keywords: string])[] = [
  [
    COUNT,
    "maxLength minLength maxItems minItems maxProperties minProperties maxContains minContains",
  ],
  [{ type: "number" }, "minimum maximum exclusiveMinimum exclusiveMaximum"],
  [{ type: "number", exclusiveMinimum: 0 }, "multipleOf"],
  [{ type: "boolean" }, "uniqueItems"],
  [{ type: "string" }, "$ref pattern format"],
  [{ type: "array" }, "enum"],
  [TEXTS, "required"],
  [{ anyOf: [{ enum: TYPES }, { type: "array", items: { enum: TYPES }, minItems: 1 }] }, "type"],
  [SCHEMA, "not if then else contains propertyNames additionalProperties additionalItems"],
  [SCHEMA, "unevaluatedProperties unevaluatedItems"],
  [{ type: "array", items: SCHEMA, minItems: 1 }, "allOf anyOf oneOf prefixItems"],
  [
    { type: "object", additionalProperties: SCHEMA },
    "properties patternProperties $defs definitions",
  ],
  [{ type: "object", additionalProperties: SCHEMA }, "dependentSchemas"],
  [{ type: "object", additionalProperties: TEXTS }, "dependentRequired"],
  [{ type: "object", additionalProperties: { anyOf: [SCHEMA, TEXTS] } }, "dependencies"],
];
const ITEMS = {
  "2020-12": SCHEMA,
  "draft-07": { anyOf: [SCHEMA, { type: "array", items: SCHEMA }] },
};
/** The keywords that draft-07 does not have: always, and unless a validator is strict. */
const LATER = ["prefixItems"];
const LATER_UNLESS_STRICT = [
  ...["dependentRequired", "dependentSchemas", "minContains", "maxContains"],
  ...["unevaluatedItems", "unevaluatedProperties"],
];

/**
 * Creates the default validator for runtimes that cannot generate code (workers, edge, browsers): it interprets a schema.
 * Besides what `schemaDefect` finds, it refuses patterns that may take long on a backtracking engine.
 */
export function createValidator(given: ValidatorOptions = {}): JsonSchemaValidator {
  checkValidatorOptions(given);
  const { strict = false } = given;
  return toValidator(MAX_COST, ({ schema, nodes, lookup, dialect, spend }) => {
    const later = [...LATER, ...(strict ? [] : LATER_UNLESS_STRICT)];
    for (const node of dialect === "draft-07" ? nodes : []) {
      for (const keyword of later) Reflect.deleteProperty(node, keyword);
    }
    checkForms(nodes, ITEMS[dialect]);
    const steps = readSteps(nodes, lookup);
    const most = { counting: 0, comparing: 0 };
    const isCounting = ({ minLength, maxLength }: JsonObject) => minLength ?? maxLength;
    const isCounted = nodes.some((node) => (isCounting(node) ?? node.uniqueItems) !== undefined);
    for (const node of nodes) {
      const [counts, compares] = [isCounting(node) !== undefined, node.uniqueItems === true];
      const spendAll: Spend = (cost) =>
        spend(cost + (counts ? most.counting : 0) + (compares ? most.comparing : 0));
      prepare(node, { spend: spendAll, strict });
    }
    // The library's 2019-09 also reads draft-07, and does not ignore the keywords beside a `$ref`.
    const draft = dialect === "draft-07" ? "2019-09" : dialect;
    const targets = Object.fromEntries(lookup);
    return (value) => {
      const tooLong = steps && textDefect(value);
      if (tooLong) return `/ ${tooLong}`;
      if (isCounted) Object.assign(most, { counting: 0, comparing: 0 }) && weighParts(value, most);
      const { valid, errors } = validate(watch(value, { spend, steps }), schema, draft, targets);
      if (valid) return undefined;
      // The error of a schema `false` is less helpful than that of the keyword that holds it.
      const shown = errors.findLast(({ keyword }) => keyword !== "false");
      const { instanceLocation = "#", error = "is refused" } = shown ?? {};
      // The message leaves out the number or length at fault: the model may not be allowed to read the value.
      const message = error.replace(/^-?\d[\d.e+-]*(?= is )/, "It").replace(/\(\d+ (?=[<>])/, "(");
      return `${instanceLocation.slice(1) || "/"} ${message}`;
    };
  });
}

/** Compiles a pattern for the runtime's own engine. Throws if it may take longer than quadratic time. */
export function createPattern(pattern: string): Pattern {
  const cost = patternSteps(pattern);
  const compiled = new RegExp(pattern, "u");
  return { cost, test: (text) => compiled.test(text) };
}

/** Removes formats that are not checked, and charges the cost of a subschema each time it is used. */
function prepare(
  node: { [key: string]: unknown },
  { spend, strict }: { readonly spend: Spend; readonly strict: boolean },
): void {
  if (!strict || !Object.hasOwn(FORMATS, String(node.format))) delete node.format;
  const { [COST_KEYWORD]: cost } = node;
  if (typeof cost !== "number") return;
  delete node[COST_KEYWORD];
  // The library reads this keyword once for each visit. It belongs to a dialect that is refused, so no schema needs it.
  Object.defineProperty(node, "$recursiveAnchor", { get: () => spend(cost) });
}

/** The most steps of patterns for a text of a length: while it is visited once, and while a list of keys is read once. */
interface Steps {
  ofText(length: number): number;
  ofKey(length: number): number;
}

/** The factors of the powers of a text's length, from 0 to 2. */
type Factors = readonly [number, number, number];

const NO_STEPS: Factors = [0, 0, 0];

/** Computes the steps of all patterns. Returns `undefined` if there is none. Throws `invalid-schema` if no limit is safe. */
function readSteps(
  nodes: readonly JsonObject[],
  lookup: ReadonlyMap<unknown, unknown>,
): Steps | undefined {
  const known = new Map<unknown, Factors>();
  /** Adds up the patterns of all subschemas that are applied to the same text. */
  const read = (schema: unknown): Factors => {
    const before = known.get(schema);
    if (before) return before;
    const node = objectOf(schema);
    const parts = subschemasOf(node).filter(({ role }) => role === "same" || role === "test");
    const inner = [...parts.map((part) => part.schema), lookup.get(node.$ref)].filter(isJsonObject);
    const own = node.pattern === undefined ? NO_STEPS : readPattern(String(node.pattern));
    const sum = inner.map(read).reduce((a, b) => join(a, b, (one, other) => one + other), own);
    known.set(schema, sum);
    return sum;
  };
  try {
    const keys = nodes.flatMap(({ patternProperties, propertyNames }) => [
      ...Object.keys(objectOf(patternProperties)).map(readPattern),
      read(propertyNames),
    ]);
    const [ofText, ofKey] = [nodes.map(read), keys].map((all) => {
      const [none, once, twice] = all.reduce((a, b) => join(a, b, Math.max), NO_STEPS);
      return (length: number) => none + once * length + twice * length ** 2;
    }) as [Steps["ofText"], Steps["ofKey"]];
    return ofText(1) + ofKey(1) > 0 ? { ofText, ofKey } : undefined;
  } catch (cause) {
    const why = messageOf(cause).replace(/\.$/, "");
    throw unusableSchema(
      `${why}; pass \`validator\` to createHost with an engine that can match it`,
    );
  }
}

function readPattern(pattern: string): Factors {
  patternSteps(pattern);
  const { size, ways, degree } = patternCost(pattern);
  return NO_STEPS.map((_, power) => {
    return (power === 0 ? STEPS_OF_TEST : 0) + (power === degree ? size * ways : 0);
  }) as unknown as Factors;
}

function join(a: Factors, b: Factors, by: (one: number, other: number) => number): Factors {
  return [by(a[0], b[0]), by(a[1], b[1]), by(a[2], b[2])];
}

/** Refuses a schema in which a keyword has a value that it cannot have. */
function checkForms(nodes: readonly JsonObject[], items: JsonObject): void {
  const forms = FORMS.flatMap(([form, keywords]) => {
    return keywords.split(" ").map((keyword) => [keyword, form]);
  });
  const schema = { properties: { ...Object.fromEntries(forms), items } };
  for (const node of nodes) {
    const { errors, valid } = validate(node, schema, "2020-12", {});
    if (!valid) throw unusableSchema(`it is not valid JSON Schema: ${errors[0]?.error}`);
  }
}

/**
 * Finds the cost of counting the longest text, and of comparing the items of the list for which that takes longest. Each count
 * and comparison is charged as if it were this one, since the library does not report which it is. Returns the parts of a value.
 */
function weighParts(value: unknown, most: { counting: number; comparing: number }): number {
  if (typeof value === "string") {
    most.counting = Math.max(most.counting, value.length / CHARACTERS_PER_STEP);
    return value.length / 1_000;
  }
  if (typeof value !== "object" || value === null) return 0;
  const items = Object.values(value);
  const parts = items.reduce<number>((sum, item) => sum + weighParts(item, most), 0);
  if (Array.isArray(value)) {
    const cost = items.length * (parts * COST_OF_COMPARING + items.length * COST_OF_PLAIN_ITEM);
    most.comparing = Math.max(most.comparing, cost);
  }
  return parts + items.length + 1;
}

/** Finds a text or a key that is too long for patterns. */
function textDefect(value: unknown): string | undefined {
  if (typeof value === "string" && value.length > MAX_PATTERN_TEXT) {
    return `contains a text over ${MAX_PATTERN_TEXT} characters, too long for patterns in this runtime`;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const part of Object.entries(value).flat()) {
    const defect = textDefect(part);
    if (defect) return defect;
  }
  return undefined;
}

/** Objects with fewer keys are listed in no time. */
const MANY_KEYS = 1_000;

/** Copies a value so that the work on its texts and keys is charged as often as the library does it. */
function watch(value: unknown, { spend, steps }: { spend: Spend; steps: Steps | undefined }) {
  const charge = (text: unknown, stepsOf: Steps["ofText"]) =>
    typeof text === "string" && spend(stepsOf(text.length) / PATTERN_STEPS);
  const copy = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    const isList = Array.isArray(part);
    const entries = Object.entries(part).map(([key, inner]) => [key, copy(inner)] as const);
    const copied = isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
    if (!steps && (isList || entries.length < MANY_KEYS)) return copied;
    return new Proxy(copied, {
      get(target, key) {
        const read: unknown = Reflect.get(target, key);
        if (steps) charge(read, steps.ofText);
        return read;
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        if (keys.length >= MANY_KEYS) spend(keys.length);
        if (steps) for (const key of keys) charge(key, steps.ofKey);
        return keys;
      },
    });
  };
  if (steps) charge(value, steps.ofText);
  return copy(value);
}
