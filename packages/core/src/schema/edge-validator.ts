import { Validator } from "@cfworker/json-schema";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { COST_KEYWORD, type CostMeter, createCostMeter, withCosts } from "./check-cost.ts";
import { dialectOf, type JsonSchemaValidator, schemaDefect } from "./json-schema.ts";
import { createPlainPattern, MAX_PATTERN_TEXT, patternDefect } from "./plain-pattern.ts";
import { resolveReferences } from "./references.ts";

/** Most work for one value, a tenth of what compiled checks may do: each step takes longer here. */
const MAX_COST = 2_000_000;

/** Most items that `uniqueItems` compares each with each other. */
const MAX_UNIQUE_ITEMS = 1_000;

/** A pattern of a schema as this runtime's validator tests it. */
export const createPattern = createPlainPattern;

/**
 * The default validator where code must not be made from text (workers, edge, browsers): it reads a
 * schema instead of compiling it. Refused besides what `schemaDefect` refuses: `$dynamicRef`, and
 * patterns that a backtracking engine may take long for. `format` is an annotation.
 */
export function createValidator(): JsonSchemaValidator {
  return {
    getValidator(schema) {
      const defect = schemaDefect(schema) ?? keywordDefect(schema);
      if (defect) {
        throw new ToolrailError("invalid-schema", `The schema cannot be used: ${defect}.`);
      }
      const meter = createCostMeter(MAX_COST);
      const { $schema: _, ...body } = schema;
      const draft = dialectOf(schema) === "draft-07" ? "7" : "2020-12";
      const validator = new Validator(prepare(body, meter), draft);
      const bounds = boundsOf(schema);
      return (input) => {
        const tooLong = valueDefect(input, bounds);
        if (tooLong) return { valid: false, data: undefined, errorMessage: `/ ${tooLong}` };
        meter.restart();
        const { valid, errors } = validator.validate(input);
        if (valid) return { valid: true, data: input, errorMessage: undefined };
        const { instanceLocation = "#", error = "is refused" } = errors.at(-1) ?? {};
        const place = instanceLocation.slice(1) || "/";
        return { valid: false, data: undefined, errorMessage: `${place} ${error}` };
      };
    },
  };
}

function keywordDefect(schema: JsonObject): string | undefined {
  for (const { pattern, patternProperties, $dynamicRef } of resolveReferences(schema).subschemas) {
    if ($dynamicRef !== undefined) return "$dynamicRef is not known in this runtime";
    const patterns = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    if (pattern !== undefined) patterns.push(String(pattern));
    for (const text of patterns) {
      const why = patternDefect(text);
      if (why) {
        return `its pattern ${JSON.stringify(text)} ${why}, and this runtime has no engine that is safe for it; pass \`validator\` to createHost`;
      }
    }
  }
  return undefined;
}

/** A copy without formats, which counts what a check costs each time a subschema is read. */
function prepare(body: JsonObject, meter: CostMeter): object {
  const copy = withCosts(structuredClone(body));
  for (const node of resolveReferences(copy).subschemas as { [key: string]: unknown }[]) {
    delete node.format;
    const { [COST_KEYWORD]: cost } = node;
    if (typeof cost !== "number") continue;
    delete node[COST_KEYWORD];
    // The library reads this keyword, of a dialect that is refused, once for each visit.
    Object.defineProperty(node, "$recursiveAnchor", { get: () => meter.spend(cost) });
  }
  return copy;
}

interface ValueBounds {
  readonly maxText: number;
  readonly maxItems: number;
}

function boundsOf(schema: JsonObject): ValueBounds {
  const { subschemas } = resolveReferences(schema);
  const hasPatterns = subschemas.some((node) => node.pattern ?? node.patternProperties);
  const hasUnique = subschemas.some((node) => node.uniqueItems === true);
  return {
    maxText: hasPatterns ? MAX_PATTERN_TEXT : Number.POSITIVE_INFINITY,
    maxItems: hasUnique ? MAX_UNIQUE_ITEMS : Number.POSITIVE_INFINITY,
  };
}

function valueDefect(value: unknown, { maxText, maxItems }: ValueBounds): string | undefined {
  if (maxText === Number.POSITIVE_INFINITY && maxItems === maxText) return undefined;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const node = stack.pop();
    if (typeof node === "string" && node.length > maxText) {
      return `holds a text over ${maxText} characters, too long for patterns in this runtime`;
    }
    if (Array.isArray(node) && node.length > maxItems) {
      return `holds a list over ${maxItems} items, too long for uniqueItems in this runtime`;
    }
    if (typeof node === "object" && node !== null) {
      for (const [key, inner] of Object.entries(node)) stack.push(key, inner);
    }
  }
  return undefined;
}
