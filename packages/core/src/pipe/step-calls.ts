import type { ArgumentSource } from "../call/argument-source.ts";
import { resultHop } from "../chain/rail.ts";
import { innerResults, type StepResult } from "./pipe-result.ts";
import type { ReadReference } from "./resolve-value.ts";

type Call = Pick<ArgumentSource, "server" | "tool" | "callId">;

/** The calls whose results a path reads, by how it begins: `steps.a`, `steps.g.children.b`. */
export type StepCalls = { readonly [path: string]: Call };

/** Where values came from that have names of their own: `vars.q`, or an item of a loop. */
export type Origins = { readonly [name: string]: readonly ArgumentSource[] };

/** The call whose result a tool step has, and those of the steps inside another. */
export function callsOfStep(step: StepResult, at = `steps.${step.id}`): StepCalls {
  if (step.kind === "tool") {
    const { server, tool, callId } = resultHop(step.hops) ?? {};
    return server && tool && callId ? { [at]: { server, tool, callId } } : {};
  }
  const inside = { pipe: "steps", parallel: "children", for_each: "items" }[step.kind];
  const inner = Object.values(innerResults(step));
  return Object.assign({}, ...inner.map((one) => callsOfStep(one, `${at}.${inside}.${one.id}`)));
}

/** Where a value came from that a reference or an expression reads, as far as that are results of calls. */
export function sourceOf(
  {
    calls,
    origins = {},
    last,
  }: {
    readonly calls: StepCalls;
    readonly origins?: Origins | undefined;
    readonly last?: Pick<StepResult, "id">;
  },
  { at, keys, inText }: ReadReference,
): ArgumentSource[] {
  const own = { path: at.replace(/\[(\d+)\]/g, ".$1"), ...(inText && { part: true as const }) };
  const named = keys[0] === "vars" ? 2 : 1;
  const origin = origins[keys.slice(0, named).join(".")];
  if (origin) {
    const rest = keys.slice(named);
    return origin.map(({ part, from = "", ...source }) => {
      const place = part ? from : [...(from ? [from] : []), ...rest].join(".");
      return { ...source, ...(part && { part }), ...own, from: place };
    });
  }
  const path = keys[0] === "last" && last ? ["steps", last.id, ...keys.slice(1)] : keys;
  const member = path.findIndex((key, index) => {
    const isResult = key === "structured" || key === "text";
    return isResult && Object.hasOwn(calls, path.slice(0, index).join("."));
  });
  const call = calls[path.slice(0, Math.max(0, member)).join(".")];
  return call ? [{ ...call, ...own, from: path.slice(member).join("."), how: "pipe" }] : [];
}
