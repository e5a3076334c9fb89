import type { JsonObject } from "../json.ts";
import { resolveReferences } from "./references.ts";
import { subschemasOf } from "./schema-tree.ts";

/** The keyword that a prepared schema carries where one value may be checked by it many times. */
export const COST_KEYWORD = "x-toolrail-cost";
/** An alternative that does not fit writes an error, which costs more than the check itself. */
const COST_OF_CHOICE = 10;

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
