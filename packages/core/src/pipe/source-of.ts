import type { ArgumentSource } from "../call/argument-source.ts";
import { resultHop } from "../chain/rail.ts";
import { INNER, innerResults, type StepResult, toolResults } from "./pipe-result.ts";
import type { PipeScope } from "./pipe-scope.ts";
import type { ReadReference } from "./resolve-value.ts";

/** Where values came from that have names of their own: `vars.q`, or an item of a loop. */
export type Origins = { readonly [name: string]: readonly ArgumentSource[] };

/** Where a value came from that a reference or an expression reads, as far as that are results of calls. */
export function sourceOf(
  { steps, last, origins = {} }: PipeScope,
  { at, keys, inText }: ReadReference,
): ArgumentSource[] {
  const [root = "", id] = keys;
  const own = { path: at, ...(inText && PART) };
  const isLast = root === "last";
  if (isLast || root === "steps") {
    const read = isLast ? [last] : id === undefined ? Object.values(steps) : [steps[id]];
    const calls = read.flatMap((step) => callsBehind(step, keys.slice(isLast ? 1 : 2)));
    return calls.map((call) => ({ ...call, ...own }));
  }
  const isVar = root === "vars";
  const isAll = isVar && id === undefined;
  const origin = isAll ? Object.values(origins).flat() : origins[isVar ? `vars.${id}` : root];
  const rest = keys.slice(isVar ? 2 : 1);
  return (origin ?? []).map(({ part, from = "", ...source }) => {
    const place = part ? from : [...(from ? [from] : []), ...rest].join(".");
    return { ...source, ...((part || isAll) && PART), ...own, from: place };
  });
}

const PART = { part: true } as const;

/** The call whose result a path inside a step reads, and where in it; of anything else, all calls in there. */
function callsBehind(
  step: StepResult | undefined,
  keys: readonly string[],
): Omit<ArgumentSource, "path">[] {
  if (!step) return [];
  const [key = "", id] = keys;
  if (step.kind !== "tool" && key === INNER[step.kind] && id !== undefined) {
    return callsBehind(innerResults(step)[id], keys.slice(2));
  }
  const isExact = step.kind === "tool" && (key === "structured" || key === "text");
  return toolResults(step).flatMap(({ hops }) => {
    const hop = resultHop(hops);
    if (!hop) return [];
    const { server, tool, callId } = hop;
    return { server, tool, callId, from: keys.join("."), how: "pipe", ...(!isExact && PART) };
  });
}
