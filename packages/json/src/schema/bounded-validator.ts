import type { JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "./check-schema.ts";
import { readDialect, schemaDefect, unusableSchema } from "./check-schema.ts";
import { type References, resolveReferences } from "./references.ts";
import { listOf, objectOf, subschemasOf } from "./subschemas.ts";

/** The keyword for the cost of a subschema that may check many values. */
export const COST_KEYWORD = "x-toolrail-cost";
/** The keyword that holds what the references of a schema lead to, other than the root. */
const TARGETS = "x-toolrail-targets";
/**
 * Keywords that change what a library does and are none of both dialects, or declare an address: no library resolves a reference
 * by itself, since each reads addresses in its own way, and would follow other references than those that were judged.
 */
const REMOVED = [
  ...["$id", "id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef"],
  ...["$async", "nullable", "__absolute_ref__", "__absolute_recursive_ref__", "$schema"],
  ...[COST_KEYWORD, TARGETS],
];
/** The most names that properties may depend on, since Ajv takes quadratic time to compile them. */
const MAX_NEEDED = 500;
/** The extra cost of an alternative: if it does not match, the validator writes an error, which is slower than the check. */
const COST_OF_CHOICE = 10;

/** Counts the work for one value. Throws a `RangeError` if it exceeds the limit. */
export type Spend = (cost: number) => true;

interface Compiling extends Prepared {
  readonly dialect: "2020-12" | "draft-07";
  readonly spend: Spend;
}

/** A copy of a schema for a library. */
interface Prepared {
  readonly schema: JsonObject;
  /** All subschemas of the copy. */
  readonly nodes: readonly JsonObject[];
  /** The schemas that references lead to, by each `$ref` in the copy. */
  readonly lookup: ReadonlyMap<string, JsonObject | boolean>;
}

/** Checks a value. Returns the problem, or `undefined` if there is none. */
type Check = (value: unknown) => string | undefined;

/**
 * Creates a validator from a function that compiles a schema. The function receives a copy of the schema that has no defect and
 * contains its costs, and throws `invalid-schema` if it cannot compile it. `maxCost` limits the work for one value.
 */
export function toValidator(
  maxCost: number,
  compile: (how: Compiling) => Check,
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
      const dialect = readDialect(schema) ?? "2020-12";
      const check = compile({ ...prepareSchema(schema), dialect, spend });
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
 * Copies a schema, replaces its references by ours, and adds costs: to targets of references, to subschemas that are repeated,
 * and to those that read whole texts or compare items. The cost of a subschema does not include the parts below that have their own.
 */
export function prepareSchema(given: JsonObject): Prepared {
  const schema = structuredClone(given);
  const references = resolveReferences(schema);
  const { subschemas: nodes, targets } = references;
  const needed = nodes.flatMap(({ dependentRequired, dependencies }) =>
    [dependentRequired, dependencies].flatMap((held) =>
      Object.values(objectOf(held)).flatMap(listOf),
    ),
  );
  if (needed.length > MAX_NEEDED) {
    throw unusableSchema(`it has more than ${MAX_NEEDED} names in dependentRequired`);
  }
  const lookup = replaceReferences(schema, references);
  const counting = nodes.filter(({ maxLength, minLength, pattern, uniqueItems }) => {
    return (maxLength ?? minLength ?? pattern ?? uniqueItems) !== undefined;
  });
  const counted = new Set<unknown>([...counting, ...nodes.flatMap((node) => targets(node))]);
  for (const { role, schema: inner } of nodes.flatMap(subschemasOf)) {
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
  addCosts(schema);
  if (lookup.size > 0) Object.assign(schema, { [TARGETS]: [...lookup.values()] });
  return { schema, nodes, lookup: lookup.set("#", schema) };
}

/** Replaces all references of a schema in place by addresses of our own. Returns what they lead to, other than the root. */
function replaceReferences(schema: JsonObject, { subschemas, links }: References) {
  const addresses = new Map<unknown, string>([[schema, "#"]]);
  const lookup = new Map<string, JsonObject | boolean>();
  const toAddress = (target: JsonObject | boolean): string => {
    const address = addresses.get(target) ?? `#/${TARGETS}/${lookup.size}`;
    if (!addresses.has(target)) lookup.set(address, target);
    addresses.set(target, address);
    return address;
  };
  for (const node of subschemas) {
    const found = links(node);
    if (node.nullable === true && node.type !== undefined) {
      Object.assign(node, { type: [...new Set([node.type, "null"].flat())] });
    }
    for (const keyword of REMOVED) Reflect.deleteProperty(node, keyword);
    const [target, other] = found;
    if (target === undefined) continue;
    const all = { allOf: found.map((one) => ({ $ref: toAddress(one) })) };
    Object.assign(node, { $ref: toAddress(other === undefined ? target : all) });
  }
  return lookup;
}
