import type { ArgumentSource } from "../call/argument-source.ts";
import { innerResults, type StepResult } from "./pipe-result.ts";
import type { ReadReference } from "./resolve-value.ts";

/** The calls whose results a path reads, by how it begins: `steps.a`, `steps.g.children.b`. */
export type StepCalls = {
  readonly [path: string]: Pick<ArgumentSource, "server" | "tool" | "callId">;
};

/** The last call of a tool step, and those of the steps inside another. */
export function callsOfStep(step: StepResult, at = `steps.${step.id}`): StepCalls {
  if (step.kind === "tool") {
    const { server, tool, callId } = step.hops?.at(-1) ?? {};
    return server && tool && callId ? { [at]: { server, tool, callId } } : {};
  }
  const inside = step.kind === "pipe" ? "steps" : "children";
  const inner = Object.values(innerResults(step));
  return Object.assign({}, ...inner.map((one) => callsOfStep(one, `${at}.${inside}.${one.id}`)));
}

/** Where a value came from that a reference reads, where that is the result of one call. */
export function sourceOf(
  { calls, last }: { readonly calls: StepCalls; readonly last?: Pick<StepResult, "id"> },
  { at, keys, inText }: ReadReference,
): ArgumentSource[] {
  const path = keys[0] === "last" && last ? ["steps", last.id, ...keys.slice(1)] : keys;
  const member = path.findIndex((key, index) => {
    const isResult = key === "structured" || key === "text";
    return isResult && Object.hasOwn(calls, path.slice(0, index).join("."));
  });
  const call = calls[path.slice(0, Math.max(0, member)).join(".")];
  if (!call) return [];
  const place = {
    path: at.replace(/\[(\d+)\]/g, ".$1"),
    ...call,
    from: path.slice(member).join("."),
  };
  return [{ ...place, how: "pipe", ...(inText && { part: true as const }) }];
}
