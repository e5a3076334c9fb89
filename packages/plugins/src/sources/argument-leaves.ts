import { isJsonObject, isWithin, type JsonObject, joinKey } from "@toolrail/json";

/** A text or number in the arguments of a call, or a key. */
export interface ArgumentLeaf {
  /** For example `items.0.to`; for a key that not all neighbouring values have, followed by "(name)". */
  readonly path: string;
  readonly raw: string;
}

const read = new WeakMap<JsonObject, readonly ArgumentLeaf[]>();

/** All leaves of the arguments of a call, kept for the next who asks. */
export function argumentLeaves(args: JsonObject): readonly ArgumentLeaf[] {
  const leaves = read.get(args) ?? [...walkLeaves(args)];
  read.set(args, leaves);
  return leaves;
}

/** Keeps leaves that were read one by one: see `argumentLeaves`. */
export function keepLeaves(args: JsonObject, leaves: readonly ArgumentLeaf[]): void {
  read.set(args, leaves);
}

/** Keys count too, since an argument may be a table. Booleans and `null` are ignored: they identify nothing. */
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

/** The leaves in some parts of the arguments; all of them if there is none in these parts. */
export function leavesWithin(
  leaves: readonly ArgumentLeaf[],
  parts: readonly string[],
): readonly ArgumentLeaf[] {
  if (parts.includes("")) return leaves;
  const named = leaves.filter(({ path }) => parts.some((part) => isWithin(path, part)));
  return named.length > 0 ? named : leaves;
}
