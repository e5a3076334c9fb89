import { format } from "@cfworker/json-schema";
import type { JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "./check-schema.ts";
import { dialectOf, schemaDefect, unusableSchema } from "./check-schema.ts";
import { resolveReferences } from "./references.ts";
import { subschemasOf } from "./subschemas.ts";

/** The keyword that a schema is compiled with if one value may be checked by it many times. */
export const COST_KEYWORD = "x-toolrail-cost";
/** An alternative that does not fit writes an error, which costs more than the check itself. */
const COST_OF_CHOICE = 10;

/** Counts work for the value that is checked. Throws a `RangeError` if it becomes too much. */
export type Spend = (cost: number) => true;

interface Compiling {
  readonly dialect: "2020-12" | "draft-07";
  readonly spend: Spend;
}

/** Says what is wrong with a value. `undefined` if nothing is. */
type Check = (value: unknown) => string | undefined;

/**
 * Makes a validator of a function that compiles schemas without defect, which is given a copy that bears its costs, and
 * throws `invalid-schema` for what it cannot compile. `maxCost` bounds the work for one value.
 */
export function toValidator(
  maxCost: number,
  compile: (schema: JsonObject, how: Compiling) => Check,
): JsonSchemaValidator {
  return {
    getValidator(schema) {
      const defect = schemaDefect(schema);
      if (defect) throw unusableSchema(defect);
      let left = maxCost;
      const spend: Spend = (cost) => {
        left -= cost;
        if (left < 0) throw new RangeError("checking this value by this schema takes too long");
        return true;
      };
      const { $schema: _, ...body } = withCosts(schema);
      const check = compile(body, { dialect: dialectOf(schema) ?? "2020-12", spend });
      return (data) => {
        left = maxCost;
        const errorMessage = check(data);
        if (errorMessage !== undefined) return { valid: false, data: undefined, errorMessage };
        return { valid: true, data, errorMessage };
      };
    },
  };
}

/** A copy of a schema with the cost, of its own parts alone, at what references or repetition lead to, or counts characters. */
export function withCosts(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  const { subschemas, targets } = resolveReferences(copy);
  // A schema that carries costs of its own could make any check cheap.
  for (const node of subschemas) Reflect.deleteProperty(node, COST_KEYWORD);
  const counting = subschemas.filter((node) => "maxLength" in node || "minLength" in node);
  const counted = new Set<unknown>([...counting, ...subschemas.flatMap((node) => targets(node))]);
  for (const { role, schema: inner } of subschemas.flatMap(subschemasOf)) {
    if (role === "each" || role === "name") counted.add(inner);
  }
  const costOf = (part: unknown): number => {
    if (typeof part !== "object" || part === null) return 1;
    let cost = 1;
    for (const [key, inner] of Object.entries(part)) {
      const isChoice = (key === "anyOf" || key === "oneOf") && Array.isArray(inner);
      cost += costOf(inner) + (isChoice ? inner.length * COST_OF_CHOICE : 0);
    }
    if (!counted.has(part)) return cost;
    Object.assign(part, { [COST_KEYWORD]: cost });
    return 0;
  };
  costOf(copy);
  return copy;
}

/** Formats that strict validators assert, in linear time. Not `time`: schemas mean it with an offset and without. */
export const FORMATS = Object.fromEntries(
  ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"].map(
    (name) => [name, format[name]],
  ),
);
