import { validate } from "@cfworker/json-schema";
import { isJsonObject, type JsonObject } from "../json.ts";
import { messageOf } from "../plain-text.ts";
import { type Pattern, patternSteps } from "../regexp/cost.ts";
import { COST_KEYWORD, FORMATS, type Spend, toValidator } from "./bounded-validator.ts";
import type { JsonSchemaValidator, ValidatorOptions } from "./check-schema.ts";
import { checkValidatorOptions, unusableSchema } from "./check-schema.ts";
import { objectOf } from "./subschemas.ts";

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

const TYPES: readonly unknown[] = [
  ...["array", "boolean", "integer", "null", "number", "object", "string"],
];
/** The keywords that draft-07 does not have. A strict validator supports all but the first. */
const LATER = [
  ...["prefixItems", "dependentRequired", "dependentSchemas", "minContains", "maxContains"],
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
    for (const node of dialect === "draft-07" ? nodes : []) {
      for (const keyword of strict ? LATER.slice(0, 1) : LATER)
        Reflect.deleteProperty(node, keyword);
    }
    checkForms(nodes, dialect);
    const state: Reading = {
      spend,
      length: 0,
      comparing: 0,
      hasPatterns: false,
      readsTexts: false,
      ofKeys: [],
    };
    for (const node of nodes) {
      const { pattern, patternProperties, uniqueItems, minLength, maxLength } = node;
      const ofText = pattern === undefined ? undefined : stepsOf(String(pattern));
      state.ofKeys.push(...Object.keys(objectOf(patternProperties)).map(stepsOf));
      state.hasPatterns ||= ofText !== undefined || state.ofKeys.length > 0;
      const perCharacter = (minLength ?? maxLength) === undefined ? 0 : 1 / CHARACTERS_PER_STEP;
      state.readsTexts ||= state.hasPatterns || perCharacter > 0;
      const spendAll: Spend = (cost) =>
        spend(
          cost +
            state.length * perCharacter +
            (ofText?.(state.length) ?? 0) +
            (uniqueItems === true ? state.comparing : 0),
        );
      prepare(node, { spend: spendAll, strict });
    }
    // The library's 2019-09 also reads draft-07, and does not ignore the keywords beside a `$ref`.
    const draft = dialect === "draft-07" ? "2019-09" : dialect;
    const targets = Object.fromEntries(lookup);
    return (value) => {
      if (state.hasPatterns && hasLongText(value)) return `/ contains ${TOO_LONG}`;
      state.comparing = 0;
      const watched = watch(value, state);
      const { valid, errors } = validate(watched, schema, draft, targets);
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

/** The state of a check: what the library has read last, and what is charged for it. */
interface Reading {
  readonly spend: Spend;
  /** The length of the text, or of the longest key, that was read last. */
  length: number;
  /** The cost of comparing the items of the list for which that takes longest. */
  comparing: number;
  hasPatterns: boolean;
  /** True if lengths of texts are charged: only then, each reading of one is noted. */
  readsTexts: boolean;
  /** The cost of testing a key on each pattern of `patternProperties`. */
  readonly ofKeys: ((length: number) => number)[];
}

/** Returns a function from a text's length to the cost of a pattern. Throws `invalid-schema` if no limit is safe. */
function stepsOf(pattern: string): (length: number) => number {
  try {
    const steps = patternSteps(pattern);
    return (length) => (STEPS_OF_TEST + steps(length)) / PATTERN_STEPS;
  } catch (cause) {
    const why = messageOf(cause).replace(/\.$/, "");
    throw unusableSchema(
      `${why}; pass \`validator\` to createHost with an engine that can match it`,
    );
  }
}

/** Refuses a schema in which a keyword has a value that it cannot have: the library would take it on trust. */
function checkForms(nodes: readonly JsonObject[], dialect: string): void {
  for (const [keyword, value] of nodes.flatMap((node) => Object.entries(node))) {
    if (value === undefined || isFormed(keyword, { value, dialect })) continue;
    throw unusableSchema(
      `it is not valid JSON Schema: ${JSON.stringify(keyword)} has a wrong value`,
    );
  }
}

function isFormed(
  keyword: string,
  { value, dialect }: { readonly value: unknown; readonly dialect: string },
): boolean {
  const isSchema = (one: unknown) => isJsonObject(one) || typeof one === "boolean";
  const isNames = (one: unknown) =>
    Array.isArray(one) && one.every((name) => typeof name === "string");
  if (/^m(in|ax)(Length|Items|Properties|Contains)$/.test(keyword))
    return Number.isInteger(value) && Number(value) >= 0;
  if (/^(exclusiveM|m)(in|ax)imum$/.test(keyword)) return typeof value === "number";
  if (keyword === "multipleOf") return typeof value === "number" && value > 0;
  if (/^(pattern|format|\$ref)$/.test(keyword)) return typeof value === "string";
  if (keyword === "uniqueItems") return typeof value === "boolean";
  if (keyword === "enum") return Array.isArray(value);
  if (keyword === "required") return isNames(value);
  if (keyword === "type") {
    const types: unknown[] = [value].flat();
    return types.length > 0 && types.every((type) => TYPES.includes(type));
  }
  if (/^(allOf|anyOf|oneOf|prefixItems)$/.test(keyword))
    return Array.isArray(value) && value.length > 0 && value.every(isSchema);
  if (/^(dependen.*|p.*Properties|properties|\$defs|definitions)$/.test(keyword))
    return (
      isJsonObject(value) &&
      Object.values(value).every((one) => isSchema(one) || (keyword[0] === "d" && isNames(one)))
    );
  if (/^(not|if|then|else|contains|propertyNames|additional.*|unevaluated.*)$/.test(keyword))
    return isSchema(value);
  if (keyword !== "items") return true;
  return (
    isSchema(value) || (dialect === "draft-07" && Array.isArray(value) && value.every(isSchema))
  );
}

/** Objects with fewer keys are listed in no time. */
const MANY_KEYS = 1_000;

const TOO_LONG = `a text over ${MAX_PATTERN_TEXT} characters, too long for patterns in this runtime`;

/** Returns true if there is a text or a key that is too long for patterns. */
function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return value.length > MAX_PATTERN_TEXT;
  return (
    typeof value === "object" && value !== null && Object.entries(value).flat().some(hasLongText)
  );
}

/**
 * Copies a value so that the texts that the library reads, and the keys that it lists, are noted and charged each time. Finds the
 * cost of comparing items too.
 */
function watch(value: unknown, state: Reading): unknown {
  const copy = (part: unknown): { readonly copied: unknown; readonly parts: number } => {
    if (typeof part === "string") return { copied: part, parts: part.length / 1_000 };
    if (typeof part !== "object" || part === null) return { copied: part, parts: 0 };
    const entries = Object.entries(part).map(([key, inner]) => [key, copy(inner)] as const);
    const { length } = entries;
    const parts = entries.reduce((sum, [, inner]) => sum + inner.parts, 0);
    const isList = Array.isArray(part);
    const copied = isList
      ? entries.map(([, inner]) => inner.copied)
      : Object.fromEntries(entries.map(([key, inner]) => [key, inner.copied]));
    if (isList) {
      const cost = length * (parts * COST_OF_COMPARING + length * COST_OF_PLAIN_ITEM);
      state.comparing = Math.max(state.comparing, cost);
    }
    const isWatched = state.readsTexts || (!isList && length >= MANY_KEYS);
    return {
      copied: isWatched ? new Proxy(copied, noting(state)) : copied,
      parts: parts + length + 1,
    };
  };
  if (typeof value === "string") state.length = value.length;
  return copy(value).copied;
}

function noting(state: Reading): ProxyHandler<object> {
  return {
    get(target, key) {
      const read: unknown = Reflect.get(target, key);
      state.length = typeof read === "string" ? read.length : 0;
      return read;
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      state.length = keys.reduce((most, key) => Math.max(most, String(key).length), 0);
      const each = state.ofKeys.reduce((most, ofKey) => Math.max(most, ofKey(state.length)), 0);
      state.spend(keys.length * (keys.length < MANY_KEYS ? each : each + 1));
      return keys;
    },
  };
}
