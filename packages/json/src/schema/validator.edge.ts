import { Validator } from "@cfworker/json-schema";
import type { JsonObject } from "../json.ts";
import { messageOf } from "../plain-text.ts";
import { type Pattern, patternSteps } from "../regexp/cost.ts";
import { COST_KEYWORD, FORMATS, type Spend, toValidator } from "./bounded-validator.ts";
import type { JsonSchemaValidator, ValidatorOptions } from "./check-schema.ts";
import { checkValidatorOptions, unusableSchema } from "./check-schema.ts";
import { resolveReferences } from "./references.ts";
import { objectOf } from "./subschemas.ts";

/** Most work for one value, a tenth of what compiled checks may do: each step takes longer here. */
const MAX_COST = 2_000_000;
/** Most steps of all patterns for one value, about a second. */
const MAX_PATTERN_STEPS = 300_000_000;
/** The number of characters that are counted in the time of a step. */
const CHARACTERS_PER_STEP = 200;
/** Longest text that a pattern is tried on. */
const MAX_PATTERN_TEXT = 2_000;
/** Most items that `uniqueItems` compares each with each other. */
const MAX_UNIQUE_ITEMS = 1_000;

/**
 * The default validator for runtimes that make no code from text (workers, edge, browsers): it reads a
 * schema instead of compiling it. Refused besides what `schemaDefect` refuses: `$dynamicRef`, and
 * patterns that a backtracking engine may take long for.
 */
export function createValidator(given: ValidatorOptions = {}): JsonSchemaValidator {
  checkValidatorOptions(given);
  const { strict = false } = given;
  return toValidator(MAX_COST, (schema, { dialect, spend }) => {
    const nodes = resolveReferences(schema).subschemas;
    const bounds = boundsOf(nodes);
    let longest = 0;
    const spendCounting: Spend = (cost) => spend(cost + longest / CHARACTERS_PER_STEP);
    const isCounting = nodes.map((node) => "minLength" in node || "maxLength" in node);
    for (const [at, node] of nodes.entries()) {
      prepare(node, { spend: isCounting[at] ? spendCounting : spend, strict });
    }
    // Of the dialects that read draft-07, 2019-09 knows the keywords that came later as well.
    const older = strict ? "2019-09" : "7";
    const validator = new Validator(schema, dialect === "draft-07" ? older : dialect);
    return (value) => {
      const tooLong = valueDefect(value, bounds);
      if (tooLong) return `/ ${tooLong}`;
      if (isCounting.includes(true)) longest = longestText(value);
      const { valid, errors } = validator.validate(value);
      if (valid) return undefined;
      // What the schema `false` says is told better by the keyword that holds it.
      const said = errors.findLast(({ keyword }) => keyword !== "false");
      const { instanceLocation = "#", error = "is refused" } = said ?? {};
      // It is told without the number, or the length, that it is about: a model may not be allowed to read that.
      const told = error.replace(/^-?\d[\d.e+-]*(?= is )/, "It").replace(/\(\d+ (?=[<>])/, "(");
      return `${instanceLocation.slice(1) || "/"} ${told}`;
    };
  });
}

/** A pattern for the engine of the runtime. Throws for one that may take longer than quadratic time. */
export function createPattern(pattern: string): Pattern {
  const cost = patternSteps(pattern);
  const compiled = new RegExp(pattern, "u");
  return { cost, test: (text) => compiled.test(text) };
}

/** Takes other formats out of a subschema, and counts what a check costs each time it is read. */
function prepare(
  node: { [key: string]: unknown },
  { spend, strict }: { readonly spend: Spend; readonly strict: boolean },
): void {
  if (!strict || !Object.hasOwn(FORMATS, String(node.format))) delete node.format;
  const { [COST_KEYWORD]: cost } = node;
  if (typeof cost !== "number") return;
  delete node[COST_KEYWORD];
  // The library reads this keyword, of a dialect that is refused, once for each visit.
  Object.defineProperty(node, "$recursiveAnchor", { get: () => spend(cost) });
}

/** The bounds that a value must keep before the library sees it. Throws `invalid-schema` if no way is safe. */
function boundsOf(nodes: readonly JsonObject[]) {
  if (nodes.some(({ $dynamicRef }) => $dynamicRef !== undefined)) {
    throw unusableSchema("this runtime does not support $dynamicRef");
  }
  const patterns = nodes.flatMap(({ pattern, patternProperties }) => [
    ...(pattern === undefined ? [] : [String(pattern)]),
    ...Object.keys(objectOf(patternProperties)),
  ]);
  const hasUnique = nodes.some(({ uniqueItems }) => uniqueItems === true);
  try {
    /** For each pattern, the steps that it takes for a text of some length. */
    return { steps: [...new Set(patterns)].map(patternSteps), hasUnique };
  } catch (cause) {
    const why = messageOf(cause).replace(/\.$/, "");
    throw unusableSchema(
      `${why}; pass \`validator\` to createHost with an engine that can match it`,
    );
  }
}

/** The library does not say which text it counts: each count is charged as that of the longest. */
function longestText(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((most, inner) => {
    return Math.max(most, longestText(inner));
  }, 0);
}

/** Charges each text for every pattern, since the library does not say which it is tried on. */
function valueDefect(value: unknown, bounds: ReturnType<typeof boundsOf>): string | undefined {
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
