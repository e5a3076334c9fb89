import type { JsonObject } from "../json.ts";
import { withCosts } from "./check-cost.ts";
import {
  dialectOf,
  type JsonSchemaValidator,
  schemaDefect,
  unusableSchema,
} from "./json-schema.ts";

/** Counts work for the value that is checked. Throws a `RangeError` where it becomes too much. */
export type Spend = (cost: number) => true;

interface Compiling {
  readonly dialect: "2020-12" | "draft-07";
  readonly spend: Spend;
}

/** What is wrong with a value, or `undefined`. */
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
