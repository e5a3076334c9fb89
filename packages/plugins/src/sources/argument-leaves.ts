import { isJsonObject, isWithin, type JsonObject, joinKey } from "@toolrail/json";

/** A text, number or key in the arguments of a call. */
export interface ArgumentLeaf {
  /** The path, as in `items.0.to`. It ends with "(name)" for a key that not all neighbouring values have. */
  readonly path: string;
  readonly raw: string;
}

const read = new WeakMap<JsonObject, readonly ArgumentLeaf[]>();

/** Lists all leaves of the arguments of a call. The list is cached. */
export function argumentLeaves(args: JsonObject): readonly ArgumentLeaf[] {
  const leaves = read.get(args) ?? [...walkLeaves(args)];
  read.set(args, leaves);
  return leaves;
}

/** Caches leaves that were read one by one: see `argumentLeaves`. */
export function keepLeaves(args: JsonObject, leaves: readonly ArgumentLeaf[]): void {
  read.set(args, leaves);
}

/**
 * Walks through all leaves, including keys, since an argument may be a table. Ignores booleans and `null`, which identify
 * nothing.
 */
export function* walkLeaves(value: unknown, path = ""): Generator<ArgumentLeaf> {
  if (typeof value === "string" || typeof value === "number") {
    yield { path, raw: String(value) };
  } else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) yield* walkLeaves(value[at], joinKey(path, at));
  } else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const at = joinKey(path, key);
      if (path !== "") yield { path: `${at} (name)`, raw: key };
      yield* walkLeaves(inner, at);
    }
  }
}

/** Selects the leaves in some parts of the arguments, or all leaves if there is none in these parts. */
export function leavesWithin(
  leaves: readonly ArgumentLeaf[],
  parts: readonly string[],
): readonly ArgumentLeaf[] {
  if (parts.includes("")) return leaves;
  const named = leaves.filter(({ path }) => parts.some((part) => isWithin(path, part)));
  return named.length > 0 ? named : leaves;
}
