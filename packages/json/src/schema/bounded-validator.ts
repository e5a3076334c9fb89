import { format } from "@cfworker/json-schema";
import type { JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "./check-schema.ts";
import { readDialect, schemaDefect, unusableSchema } from "./check-schema.ts";
import { resolveReferences } from "./references.ts";
import { subschemasOf } from "./subschemas.ts";

/** The keyword for the cost of a subschema that may check many values. */
export const COST_KEYWORD = "x-toolrail-cost";
/** The extra cost of an alternative: if it does not match, the validator writes an error, which is slower than the check. */
const COST_OF_CHOICE = 10;

/** Counts the work for one value. Throws a `RangeError` if it exceeds the limit. */
export type Spend = (cost: number) => true;

interface Compiling {
  readonly dialect: "2020-12" | "draft-07";
  readonly spend: Spend;
}

/** Checks a value. Returns the problem, or `undefined` if there is none. */
type Check = (value: unknown) => string | undefined;

/**
 * Creates a validator from a function that compiles a schema. The function receives a copy of the schema that has no defect and
 * contains its costs, and throws `invalid-schema` if it cannot compile it. `maxCost` limits the work for one value.
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
        if (left < 0)
          throw new RangeError("checking this value against this schema takes too long");
        return true;
      };
      const { $schema: _, ...body } = withCosts(schema);
      const check = compile(body, { dialect: readDialect(schema) ?? "2020-12", spend });
      return (data) => {
        left = maxCost;
        const errorMessage = check(data);
        if (errorMessage !== undefined) return { valid: false, data: undefined, errorMessage };
        return { valid: true, data, errorMessage };
      };
    },
  };
}

/**
 * Copies a schema and adds costs: to targets of references, to subschemas that are repeated, and to those that count
 * characters. The cost of a subschema does not include the parts below that have their own.
 */
export function withCosts(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  const { subschemas, targets } = resolveReferences(copy);
  // A schema that already contains costs could make any check cheap.
  for (const node of subschemas) Reflect.deleteProperty(node, COST_KEYWORD);
  const counting = subschemas.filter((node) => "maxLength" in node || "minLength" in node);
  const counted = new Set<unknown>([...counting, ...subschemas.flatMap((node) => targets(node))]);
  for (const { role, schema: inner } of subschemas.flatMap(subschemasOf)) {
    if (role === "each" || role === "name") counted.add(inner);
  }
  const addCosts = (part: unknown): number => {
    if (typeof part !== "object" || part === null) return 1;
    let cost = 1;
    for (const [key, inner] of Object.entries(part)) {
      const isChoice = (key === "anyOf" || key === "oneOf") && Array.isArray(inner);
      cost += addCosts(inner) + (isChoice ? inner.length * COST_OF_CHOICE : 0);
    }
    if (!counted.has(part)) return cost;
    Object.assign(part, { [COST_KEYWORD]: cost });
    return 0;
  };
  addCosts(copy);
  return copy;
}

/** The formats that strict validators check. `time` is missing: some schemas mean it with an offset, and some without. */
export const FORMATS = Object.fromEntries(
  ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"].map(
    (name) => [name, format[name]],
  ),
);
