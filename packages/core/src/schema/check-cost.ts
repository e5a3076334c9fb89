import { isJsonObject, type JsonObject } from "../json.ts";
import { resolveReferences } from "./references.ts";

/** The keyword that a prepared schema carries where a check may come by many times for one value. */
export const COST_KEYWORD = "x-toolrail-cost";

/** Most work for one value, about a second: a bound for schemas that multiply with the depth of a value. */
const MAX_COST = 20_000_000;

/** An alternative that does not fit writes an error, which costs more than the check itself. */
const COST_OF_CHOICE = 10;

/** Keywords that apply one subschema to many values. */
const REPEATED = [
  "items",
  "additionalItems",
  "additionalProperties",
  "contains",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
] as const;

/** What is left to be spent on one value. */
export interface CostMeter {
  restart(): void;
  /** Throws where nothing is left. */
  spend(cost: number): void;
}

export function createCostMeter(maxCost = MAX_COST): CostMeter {
  let left = maxCost;
  return {
    restart() {
      left = maxCost;
    },
    spend(cost) {
      left -= cost;
      if (left < 0) throw new RangeError("checking this value by this schema takes too long");
    },
  };
}

/**
 * A copy of a schema with its cost at each subschema that references or repetition lead to: about the
 * number of its own parts, without those that have a cost of their own.
 */
export function withCosts(schema: JsonObject): JsonObject {
  const { subschemas, targets } = resolveReferences(schema);
  const counted = new Set<unknown>(subschemas.flatMap((node) => [...targets(node)]));
  for (const node of subschemas) {
    for (const keyword of REPEATED) counted.add(node[keyword]);
    if (isJsonObject(node.patternProperties)) {
      for (const inner of Object.values(node.patternProperties)) counted.add(inner);
    }
  }
  const copy = (value: unknown): { value: unknown; cost: number } => {
    if (typeof value !== "object" || value === null) return { value, cost: 1 };
    let cost = 1;
    const inner = (item: unknown) => {
      const made = copy(item);
      cost += made.cost;
      return made.value;
    };
    if (Array.isArray(value)) return { value: value.map(inner), cost };
    const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
      const isChoice = key === "anyOf" || key === "oneOf";
      if (isChoice && Array.isArray(item)) cost += item.length * COST_OF_CHOICE;
      return [key, inner(item)];
    });
    if (!counted.has(value)) return { value: Object.fromEntries(entries), cost };
    return { value: Object.fromEntries([...entries, [COST_KEYWORD, cost]]), cost: 0 };
  };
  return copy(schema).value as JsonObject;
}
