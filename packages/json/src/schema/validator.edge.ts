import { Validator } from "@cfworker/json-schema";
import type { JsonObject } from "../json.ts";
import { messageOf } from "../plain-text.ts";
import { type Pattern, patternSteps } from "../regexp/cost.ts";
import { COST_KEYWORD, FORMATS, type Spend, toValidator } from "./bounded-validator.ts";
import type { JsonSchemaValidator, ValidatorOptions } from "./check-schema.ts";
import { checkValidatorOptions, unusableSchema } from "./check-schema.ts";
import { resolveReferences } from "./references.ts";
import { objectOf } from "./subschemas.ts";

/** The maximum work for one value: a tenth of what compiled checks may do, since each step takes longer here. */
const MAX_COST = 2_000_000;
/** The maximum steps of all patterns for one value: about a second. */
const MAX_PATTERN_STEPS = 300_000_000;
/** The number of characters that can be counted in the time of one step. */
const CHARACTERS_PER_STEP = 200;
/** The longest text that a pattern is tested on. */
const MAX_PATTERN_TEXT = 2_000;
/** The most items that `uniqueItems` compares, since it compares all pairs. */
const MAX_UNIQUE_ITEMS = 1_000;

/**
 * Creates the default validator for runtimes that cannot generate code (workers, edge, browsers): it interprets a schema.
 * Besides what `schemaDefect` finds, it refuses `$dynamicRef` and patterns that may take long on a backtracking engine.
 */
export function createValidator(given: ValidatorOptions = {}): JsonSchemaValidator {
  checkValidatorOptions(given);
  const { strict = false } = given;
  return toValidator(MAX_COST, (schema, { dialect, spend }) => {
    const nodes = resolveReferences(schema).subschemas;
    const bounds = readBounds(nodes);
    let longest = 0;
    const spendCounting: Spend = (cost) => spend(cost + longest / CHARACTERS_PER_STEP);
    const isCounting = nodes.map((node) => "minLength" in node || "maxLength" in node);
    for (const [at, node] of nodes.entries()) {
      prepare(node, { spend: isCounting[at] ? spendCounting : spend, strict });
    }
    // The library's 2019-09 also reads draft-07, and supports the keywords that were added later.
    const older = strict ? "2019-09" : "7";
    const validator = new Validator(schema, dialect === "draft-07" ? older : dialect);
    return (value) => {
      const tooLong = valueDefect(value, bounds);
      if (tooLong) return `/ ${tooLong}`;
      if (isCounting.includes(true)) longest = longestText(value);
      const { valid, errors } = validator.validate(value);
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

/** Computes the limits that a value must keep before the library checks it. Throws `invalid-schema` if no limit is safe. */
function readBounds(nodes: readonly JsonObject[]) {
  if (nodes.some(({ $dynamicRef }) => $dynamicRef !== undefined)) {
    throw unusableSchema("this runtime does not support $dynamicRef");
  }
  const patterns = nodes.flatMap(({ pattern, patternProperties }) => [
    ...(pattern === undefined ? [] : [String(pattern)]),
    ...Object.keys(objectOf(patternProperties)),
  ]);
  const hasUnique = nodes.some(({ uniqueItems }) => uniqueItems === true);
  try {
    /** The steps of each pattern for a text of a given length. */
    return { steps: [...new Set(patterns)].map(patternSteps), hasUnique };
  } catch (cause) {
    const why = messageOf(cause).replace(/\.$/, "");
    throw unusableSchema(
      `${why}; pass \`validator\` to createHost with an engine that can match it`,
    );
  }
}

/** Finds the longest text. Each count is charged as if it were this one, since the library does not report which text it is. */
function longestText(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((most, inner) => {
    return Math.max(most, longestText(inner));
  }, 0);
}

/** Checks the limits. Each text is charged for every pattern, since the library does not report which it is tested on. */
function valueDefect(value: unknown, bounds: ReturnType<typeof readBounds>): string | undefined {
  const { steps, hasUnique } = bounds;
  if (steps.length === 0 && !hasUnique) return undefined;
  const stack: unknown[] = [value];
  let room = MAX_PATTERN_STEPS;
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node === "string" && steps.length > 0) {
      if (node.length > MAX_PATTERN_TEXT) {
        return `contains a text over ${MAX_PATTERN_TEXT} characters, too long for patterns in this runtime`;
      }
      for (const stepsFor of steps) room -= stepsFor(node.length);
      if (room < 0) return "contains too much text for the patterns of its schema in this runtime";
    }
    if (typeof node !== "object" || node === null) continue;
    if (Array.isArray(node) && hasUnique && node.length > MAX_UNIQUE_ITEMS) {
      return `contains a list over ${MAX_UNIQUE_ITEMS} items, too long for uniqueItems in this runtime`;
    }
    for (const entry of Object.entries(node)) stack.push(...entry);
  }
  return undefined;
}
