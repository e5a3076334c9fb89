import { canonicalJson, isJsonObject, type JsonObject } from "../../json.ts";
import { namedMembers, type RecordedCall } from "./recorded-calls.ts";

/** Calls that one `for_each` makes. */
export interface RecordedLoop extends RecordedCall {
  readonly loop: {
    /** The argument that runs through the list. */
    readonly key: string;
    /** References to the list, and to the argument in its item. */
    readonly list: string;
    readonly item: string;
    readonly count: number;
  };
}

/**
 * Makes one loop of calls of a tool, one after the other, for all items of an earlier list in its order, where no other
 * argument changes from call to call.
 */
export function collectLoops(
  calls: readonly RecordedCall[],
): readonly (RecordedCall | RecordedLoop)[] {
  const collected: RecordedCall[] = [];
  for (let at = 0; at < calls.length; at++) {
    const call = calls[at] as RecordedCall;
    const others = calls.slice(at).findIndex(({ tool }) => tool !== call.tool);
    const row = others === -1 ? calls.slice(at) : calls.slice(at, at + others);
    const loop = row.length > 1 && toLoop(row, collected);
    collected.push(loop || call);
    if (loop) at += row.length - 1;
  }
  return collected;
}

function toLoop(
  row: readonly RecordedCall[],
  earlier: readonly RecordedCall[],
): RecordedLoop | undefined {
  const [first] = row as [RecordedCall];
  const made = row.map((call) => call.arguments);
  const [key, ...more] = Object.keys(first.arguments).filter((name) => {
    return new Set(made.map((args) => canonicalJson(args[name]))).size > 1;
  });
  if (key === undefined || more.length > 0) return undefined;
  const wanted = canonicalJson(made.map((args) => args[key]));
  for (const { id, result } of earlier.toReversed()) {
    const found = findList(result, wanted, `steps.${id}`);
    if (!found) continue;
    const items = row.flatMap(({ result }) => ("items" in result ? [] : result));
    const isError = row.some((call) => call.isError);
    return { ...first, result: { items }, isError, loop: { key, count: row.length, ...found } };
  }
  return undefined;
}

/** A list with just these items, or whose items hold them under one key. */
function findList(
  node: unknown,
  wanted: string,
  list: string,
): { list: string; item: string } | undefined {
  if (Array.isArray(node)) {
    if (canonicalJson(node) === wanted) return { list, item: "item" };
    const member = namedMembers(node[0]).find(([key]) => {
      return (
        node.every(isJsonObject) &&
        canonicalJson(node.map((one: JsonObject) => one[key])) === wanted
      );
    });
    if (member) return { list, item: `item.${member[0]}` };
  }
  const inner = Array.isArray(node)
    ? node.map((item, index) => [String(index), item] as const)
    : namedMembers(node);
  for (const [key, value] of inner) {
    const found = findList(value, wanted, `${list}.${key}`);
    if (found) return found;
  }
  return undefined;
}
