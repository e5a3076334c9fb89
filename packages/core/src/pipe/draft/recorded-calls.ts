import { isJsonObject, type JsonObject } from "../../json.ts";
import type { Hop } from "../../result/hop.ts";
import { modelText } from "../../result/model-text.ts";

/** A call as a step of a pipe would make it, and what references would read of that step. */
export interface RecordedCall {
  /** Unique in its run, made of the tool's name. */
  readonly id: string;
  /** `server.tool`. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Of the last hop of its chain; of a loop, what each item brought. */
  readonly result: StepView | { readonly items: readonly StepView[] };
  readonly isError: boolean;
}

interface StepView {
  readonly structured: unknown;
  readonly text: string;
}

/** The calls of one run in the order in which they were made. Hops of a chain are part of the call that began it. */
export function toRecordedCalls(hops: readonly Hop[]): readonly RecordedCall[] {
  const chains = new Map<string, Hop[]>();
  const roots: Hop[][] = [];
  for (const hop of hops) {
    const { origin, callId } = hop;
    const chain = (origin.by === "chain" ? chains.get(origin.causedBy) : undefined) ?? [];
    if (chain.length === 0) roots.push(chain);
    chain.push(hop);
    chains.set(callId, chain);
  }
  const taken = new Set<string>();
  return roots.map((chain) => {
    const [first, last] = [chain[0], chain.at(-1)] as [Hop, Hop];
    const id = toFreeName(first.tool.replace(/[^\w-]+/g, "_"), taken);
    const { structuredContent: structured, isError = false } = last.result;
    const result = { structured, text: modelText(last.result) };
    return {
      id,
      tool: `${first.server}.${first.tool}`,
      arguments: first.arguments,
      result,
      isError,
    };
  });
}

/** True for the members of an object that a reference can name. */
export function namedMembers(value: unknown): [string, unknown][] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).filter(([key]) => !key.includes("."));
}

/** The name, or with a number behind it the first one that is free; it is taken then. */
export function toFreeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  taken.add(free);
  return free;
}
