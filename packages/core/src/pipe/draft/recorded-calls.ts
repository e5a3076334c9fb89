import type { HostTool } from "../../call/tool.ts";
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
  readonly result: object;
  readonly isError: boolean;
  readonly loop?: RecordedLoop;
}

/** Calls that one `for_each` makes. */
export interface RecordedLoop {
  /** The argument that runs through the list. */
  readonly key: string;
  /** References to the list, and to the argument in its item. */
  readonly list: string;
  readonly item: string;
  readonly count: number;
}

/** Where a value stands in an earlier result. */
export interface Place {
  /** As a reference of a pipe writes it: `steps.get_user.structured.orders`. */
  readonly path: string;
  /** It is one of several in a list: somebody chose it. */
  readonly isPicked: boolean;
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

/** All values in the result of a call, outer ones first. Recursive: the door has measured results. */
export function valuesIn({ id, result }: RecordedCall): (Place & { readonly value: unknown })[] {
  const visit = (value: unknown, { path, isPicked }: Place): ReturnType<typeof valuesIn> => {
    const isList = Array.isArray(value);
    const isOneOfMany = isPicked || (isList && value.length > 1);
    const members = isList ? [...value.entries()] : namedMembers(value);
    const inner = members.flatMap(([key, member]) =>
      visit(member, { path: `${path}.${key}`, isPicked: isOneOfMany }),
    );
    return [{ path, isPicked, value }, ...inner];
  };
  return visit(result, { path: `steps.${id}`, isPicked: false });
}

/** The members of an object that a reference can name. */
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

/**
 * The steps that each call waits for, besides those that it refers to: one that may write for those before it, and what
 * comes later for the last that may. A tool that is not known may write.
 */
export function orderWrites(
  calls: readonly RecordedCall[],
  tools: readonly HostTool[],
): readonly (readonly string[])[] {
  const readOnly = new Set(
    tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ id }) => id),
  );
  let reads: string[] = [];
  let writes: string[] = [];
  return calls.map(({ id, tool }) => {
    const isWrite = !readOnly.has(tool);
    const after = isWrite && reads.length > 0 ? reads : writes;
    if (isWrite) writes = [id];
    reads = isWrite ? [] : [...reads, id];
    return after;
  });
}
