import { canonicalJson } from "../../json.ts";
import { readPath } from "../../path.ts";
import { parseReference } from "../references.ts";
import { namedMembers, type RecordedCall } from "./recorded-calls.ts";

/** Where the value of an argument stands in an earlier result. */
export interface FoundSource {
  /** As a reference of a pipe writes it: `steps.get_user.structured.orders`. */
  readonly path: string;
  /** It is one of several in a list: somebody chose it. */
  readonly isPicked: boolean;
}

interface Wanted {
  readonly value: unknown;
  readonly canonical: string;
  /** Of the argument. */
  readonly name: string;
}

/**
 * The place that a value has in all runs: one that nobody picked before one that somebody did, under the argument's own
 * name before another, and the nearest result first.
 */
export function findSource(
  values: readonly unknown[],
  {
    name,
    earlier,
  }: { readonly name: string; readonly earlier: readonly (readonly RecordedCall[])[] },
): FoundSource | undefined {
  const [value] = values;
  const wanted = { value, canonical: canonicalJson(value), name };
  const scopes = earlier.map((calls) => ({
    vars: {},
    steps: Object.fromEntries(calls.map(({ id, result }) => [id, result])),
  }));
  const [calls = []] = earlier;
  const found = calls
    .toReversed()
    .flatMap(({ id, result }) =>
      placesIn(result, wanted, { path: `steps.${id}`, isPicked: false }),
    );
  const held = found.filter(({ path }) => {
    return scopes.every((scope, run) => {
      const reading = readPath(scope, { keys: path.split(".") });
      return reading.found && canonicalJson(reading.value) === canonicalJson(values[run]);
    });
  });
  const rank = ({ path, isPicked }: FoundSource) =>
    (isPicked ? 2 : 0) + (isNamed(path, name) ? 0 : 1);
  return held.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** All places of a value in a result. Recursive: the door has measured results. */
function placesIn(node: unknown, wanted: Wanted, at: FoundSource): FoundSource[] {
  const { path, isPicked } = at;
  if (isSame(node, wanted)) {
    const isTelling = typeof node === "object" || isLong(node) || isNamed(path, wanted.name);
    return isTelling && typeof parseReference(path) === "object" ? [at] : [];
  }
  if (!Array.isArray(node)) {
    return namedMembers(node).flatMap(([key, member]) => {
      return placesIn(member, wanted, { path: `${path}.${key}`, isPicked });
    });
  }
  return node.flatMap((item, index) => {
    const isOneOfMany = isPicked || node.length > 1;
    return placesIn(item, wanted, { path: `${path}.${index}`, isPicked: isOneOfMany });
  });
}

function isSame(node: unknown, { value, canonical }: Wanted): boolean {
  if (typeof value !== "object" || value === null) return node === value;
  if (typeof node !== "object" || node === null || Object.keys(value).length === 0) return false;
  return Array.isArray(node) === Array.isArray(value) && canonicalJson(node) === canonical;
}

/** True for a value of which an equal one is no accident. */
function isLong(value: unknown): boolean {
  if (typeof value === "number") return /\d{5}/.test(String(value));
  if (typeof value !== "string") return false;
  return value.length >= 8 || (value.length >= 5 && /[\d@/_.]/.test(value));
}

/** True where a path ends in the name of an argument; of an `id`, with the name of what holds it before it. */
function isNamed(path: string, name: string): boolean {
  const names = path
    .split(".")
    .filter((key) => !/^\d+$/.test(key))
    .map(toName);
  const last = names.at(-1);
  const asked = toName(name);
  return last === asked || (last === "id" && `${names.at(-2)}id` === asked);
}

function toName(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")
    .replace(/s$/, "");
}
