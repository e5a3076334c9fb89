import type { ArgumentSource } from "../call/argument-source.ts";
import { resultHop } from "../chain/rail.ts";
import { INNER, innerResults, type StepResult } from "./pipe-result.ts";
import type { PipeScope } from "./pipe-scope.ts";
import type { ReadReference } from "./resolve-value.ts";

/** Where values came from that have names of their own: `vars.q`, or an item of a loop. */
export type Origins = { readonly [name: string]: readonly ArgumentSource[] };

/** Where a value came from that a reference or an expression reads, as far as that are results of calls. */
export function sourceOf(
  { steps, last, origins = {} }: PipeScope,
  { at, keys, inText }: ReadReference,
): ArgumentSource[] {
  const [root = "", id = ""] = keys;
  const own = { path: at, ...(inText && { part: true as const }) };
  if (root !== "steps" && root !== "last") {
    const isVar = root === "vars";
    const origin = origins[isVar ? `${root}.${id}` : root] ?? [];
    const rest = keys.slice(isVar ? 2 : 1);
    return origin.map(({ part, from = "", ...source }) => {
      const place = part ? from : [...(from ? [from] : []), ...rest].join(".");
      return { ...source, ...(part && { part }), ...own, from: place };
    });
  }
  const isLast = root === "last";
  const found = callBehind(isLast ? last : steps[id], keys.slice(isLast ? 1 : 2));
  return found ? [{ ...found, ...own, how: "pipe" }] : [];
}

/** The call whose result a path inside a step reads, and where in it. */
function callBehind(
  step: StepResult | undefined,
  keys: readonly string[],
): Pick<ArgumentSource, "server" | "tool" | "callId" | "from"> | undefined {
  if (!step) return undefined;
  const [key = "", id = ""] = keys;
  if (step.kind !== "tool") {
    const isInside = key === INNER[step.kind];
    return isInside ? callBehind(innerResults(step)[id], keys.slice(2)) : undefined;
  }
  const hop = key === "structured" || key === "text" ? resultHop(step.hops) : undefined;
  return hop && { server: hop.server, tool: hop.tool, callId: hop.callId, from: keys.join(".") };
}
