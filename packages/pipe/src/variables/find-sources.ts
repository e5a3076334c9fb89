import type { ArgumentSource } from "@toolrail/core/plugin";
import type { ReadReference, StepResult, Variables } from "../types.ts";
import { INNER, innerResults, toolResults } from "./results.ts";

/** Finds the calls whose results a reference reads. */
export function findSources(
  { steps, last, origins = {} }: Variables,
  reference: ReadReference,
): ArgumentSource[] {
  const { at, keys, inText } = reference;
  const [root = "", id] = keys;
  if (root === "last") return callsBehind(last, { ...reference, keys: keys.slice(1) });
  if (root === "steps") {
    const within = { ...reference, keys: keys.slice(2) };
    if (id !== undefined) return callsBehind(steps[id], within);
    return Object.values(steps).flatMap((step) => callsBehind(step, within));
  }
  const isVar = root === "vars";
  const isAll = isVar && id === undefined;
  const origin = isAll ? Object.values(origins).flat() : origins[isVar ? `vars.${id}` : root];
  const rest = keys.slice(isVar ? 2 : 1);
  return (origin ?? []).map(({ part, from = "", ...source }) => {
    const place = part ? from : [...(from ? [from] : []), ...rest].join(".");
    return { ...source, ...((part || isAll || inText) && PART), path: at, from: place };
  });
}

const PART = { part: true } as const;

/** Finds the call whose result a path inside a step reads, and the path in it. Finds all calls if there is no single one. */
function callsBehind(
  step: StepResult | undefined,
  { at: path, keys, inText }: ReadReference,
): ArgumentSource[] {
  if (!step) return [];
  const [key = "", id] = keys;
  if (step.kind !== "tool" && key === INNER[step.kind] && id !== undefined) {
    return callsBehind(innerResults(step)[id], { at: path, keys: keys.slice(2), inText });
  }
  const isExact = step.kind === "tool" && (key === "structured" || key === "text");
  const found: ArgumentSource[] = [];
  for (const { hops } of toolResults(step)) {
    const [hop] = hops;
    if (!hop) continue;
    const { server, tool, callId } = hop;
    const source = { path, server, tool, callId, from: keys.join("."), how: "pipe" } as const;
    found.push(isExact && !inText ? source : { ...source, ...PART });
  }
  return found;
}
