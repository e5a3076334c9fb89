import { canonicalJson } from "../../json.ts";
import { readPath } from "../../path.ts";
import { parseReference } from "../references.ts";
import { type Place, type RecordedCall, valuesIn } from "./recorded-calls.ts";

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
): Place | undefined {
  const [wanted] = values;
  const scopes = earlier.map((calls) => ({
    vars: {},
    steps: Object.fromEntries(calls.map(({ id, result }) => [id, result])),
  }));
  const [calls = []] = earlier;
  const isTelling = (path: string) =>
    typeof wanted === "object" || isLong(wanted) || isNamed(path, name);
  const found = calls
    .toReversed()
    .flatMap(valuesIn)
    .filter(({ path, value }) => {
      return isSame(value, wanted) && isTelling(path) && typeof parseReference(path) === "object";
    });
  const held = found.filter(({ path }) => {
    return scopes.every((scope, run) => {
      const reading = readPath(scope, { keys: path.split(".") });
      return reading.found && canonicalJson(reading.value) === canonicalJson(values[run]);
    });
  });
  const rank = ({ path, isPicked }: Place) => (isPicked ? 2 : 0) + (isNamed(path, name) ? 0 : 1);
  return held.toSorted((a, b) => rank(a) - rank(b))[0];
}

function isSame(node: unknown, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return node === value;
  if (typeof node !== "object" || node === null || Object.keys(value).length === 0) return false;
  const isAlike = Object.keys(node).length === Object.keys(value).length;
  return isAlike && canonicalJson(node) === canonicalJson(value);
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
