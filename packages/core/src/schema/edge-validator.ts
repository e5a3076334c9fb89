import { Validator } from "@cfworker/json-schema";
import type { JsonObject } from "../json.ts";
import { COST_KEYWORD, type CostMeter, createCostMeter, withCosts } from "./check-cost.ts";
import { FORMATS } from "./formats.ts";
import {
  dialectOf,
  type JsonSchemaValidator,
  schemaDefect,
  unusableSchema,
  type ValidatorOptions,
} from "./json-schema.ts";
import { type Pattern, patternSteps } from "./pattern-cost.ts";
import { resolveReferences } from "./references.ts";
import { objectOf } from "./walk-schema.ts";

/** Most work for one value, a tenth of what compiled checks may do: each step takes longer here. */
const MAX_COST = 2_000_000;
/** Most steps of all patterns for one value, about a second. */
const MAX_PATTERN_STEPS = 300_000_000;
/** Longest text that a pattern is tried on. */
const MAX_PATTERN_TEXT = 2_000;
/** Most items that `uniqueItems` compares each with each other. */
const MAX_UNIQUE_ITEMS = 1_000;

/**
 * The default validator where code must not be made from text (workers, edge, browsers): it reads a
 * schema instead of compiling it. Refused besides what `schemaDefect` refuses: `$dynamicRef`, and
 * patterns that a backtracking engine may take long for.
 */
export function createValidator({ strict = false }: ValidatorOptions = {}): JsonSchemaValidator {
  return {
    getValidator(schema) {
      const defect = schemaDefect(schema);
      if (defect) throw unusableSchema(defect);
      const bounds = boundsOf(schema);
      const meter = createCostMeter(MAX_COST);
      // Of the dialects that read draft-07, 2019-09 knows the keywords that came later as well.
      const older = strict ? "2019-09" : "7";
      const draft = dialectOf(schema) === "draft-07" ? older : "2020-12";
      const validator = new Validator(prepare(schema, { meter, strict }), draft);
      return (input) => {
        const tooLong = valueDefect(input, bounds);
        if (tooLong) return { valid: false, data: undefined, errorMessage: `/ ${tooLong}` };
        meter.restart();
        const { valid, errors } = validator.validate(input);
        if (valid) return { valid: true, data: input, errorMessage: undefined };
        // What the schema `false` says is told better by the keyword that holds it.
        const said = errors.findLast(({ keyword }) => keyword !== "false");
        const { instanceLocation = "#", error = "is refused" } = said ?? {};
        const place = instanceLocation.slice(1) || "/";
        return { valid: false, data: undefined, errorMessage: `${place} ${error}` };
      };
    },
  };
}

/** A pattern for the engine of the runtime. Throws for one that may take longer than quadratic time. */
export function createPattern(pattern: string): Pattern {
  const cost = patternSteps(pattern);
  const compiled = new RegExp(pattern, "u");
  return { cost, test: (text) => compiled.test(text) };
}

/** A copy without other formats, which counts what a check costs each time a subschema is read. */
function prepare(schema: JsonObject, { meter, strict }: { meter: CostMeter; strict: boolean }) {
  const { $schema: _, ...copy } = withCosts(schema);
  for (const node of resolveReferences(copy).subschemas as { [key: string]: unknown }[]) {
    if (!strict || !Object.hasOwn(FORMATS, String(node.format))) delete node.format;
    const { [COST_KEYWORD]: cost } = node;
    if (typeof cost !== "number") continue;
    delete node[COST_KEYWORD];
    // The library reads this keyword, of a dialect that is refused, once for each visit.
    Object.defineProperty(node, "$recursiveAnchor", { get: () => meter.spend(cost) });
  }
  return copy;
}

/** What a value must be held against before the library sees it. Throws `invalid-schema` where no way is safe. */
function boundsOf(schema: JsonObject) {
  const nodes = resolveReferences(schema).subschemas;
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
    const why = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
    throw unusableSchema(
      `${why}; pass \`validator\` to createHost with an engine that can match it`,
    );
  }
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
