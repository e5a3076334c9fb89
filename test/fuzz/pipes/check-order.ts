import { ok } from "node:assert/strict";
import type { Ledger } from "../world/ledger.ts";

/** Where a step stands: its number in each list of steps, its id in each group. */
type Place = readonly (number | string)[];

/** Throws where a step was called after one that comes later in the spec. */
export function checkOrder(spec: object, { calls }: Ledger): void {
  const places = placesIn(spec, []);
  const before: Place[] = [];
  for (const call of calls) {
    const [label = ""] = String(call.arguments.at).split(">");
    const place = places.get(label) ?? [];
    const isLate = before.some((other) => isBefore(place, other));
    ok(!isLate, `${label} was called after a step that comes later in the spec.`);
    before.push(place);
  }
}

/** The places of all tool steps, by the argument `at` of their calls. */
function placesIn(spec: unknown, around: Place): Map<string, Place> {
  const found = new Map<string, Place>();
  const visit = (step: unknown, place: Place): void => {
    const { args, parallel = [], pipe } = Object(step);
    if (args) found.set(args.at, place);
    for (const child of parallel) visit(child, [...place, child.id]);
    for (const [label, inner] of placesIn(pipe, place)) found.set(label, inner);
  };
  const { steps } = Object(spec) as { readonly steps?: unknown };
  for (const [index, step] of Array.isArray(steps) ? steps.entries() : []) {
    visit(step, [...around, index]);
  }
  return found;
}

/** Children of a group have no order among each other. */
function isBefore(one: Place, other: Place): boolean {
  const at = one.findIndex((part, index) => part !== other[index]);
  const [mine, its] = [one[at], other[at]];
  return typeof mine === "number" && typeof its === "number" && mine < its;
}
