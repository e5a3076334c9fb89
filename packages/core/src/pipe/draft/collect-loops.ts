import { canonicalJson, isJsonObject, type JsonObject } from "../../json.ts";
import { namedMembers, type RecordedCall, type RecordedLoop, valuesIn } from "./recorded-calls.ts";

/**
 * Makes one loop of calls of a tool, one after the other, for all items of an earlier list in its order, where no other
 * argument changes from call to call.
 */
export function collectLoops(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const collected: RecordedCall[] = [];
  for (let at = 0; at < calls.length; at++) {
    const call = calls[at] as RecordedCall;
    const others = calls.slice(at).findIndex(({ tool }) => tool !== call.tool);
    const row = others === -1 ? calls.slice(at) : calls.slice(at, at + others);
    const loop = row.length > 1 ? toLoop(row, collected) : undefined;
    collected.push(loop ?? call);
    if (loop) at += row.length - 1;
  }
  return collected;
}

function toLoop(
  row: readonly RecordedCall[],
  earlier: readonly RecordedCall[],
): RecordedCall | undefined {
  const [first] = row as [RecordedCall];
  const made = row.map((call) => call.arguments);
  const [key, ...more] = Object.keys(first.arguments).filter((name) => {
    return new Set(made.map((args) => canonicalJson(args[name]))).size > 1;
  });
  if (key === undefined || more.length > 0) return undefined;
  const found = findList(earlier, canonicalJson(made.map((args) => args[key])));
  if (!found) return undefined;
  const items = row.map(({ result }) => result);
  const isError = row.some((call) => call.isError);
  return { ...first, result: { items }, isError, loop: { key, count: row.length, ...found } };
}

/** The last list with just these items, or whose items hold them under one key. */
function findList(
  earlier: readonly RecordedCall[],
  wanted: string,
): Pick<RecordedLoop, "list" | "item"> | undefined {
  for (const { path: list, value } of earlier.toReversed().flatMap(valuesIn)) {
    if (!Array.isArray(value)) continue;
    if (canonicalJson(value) === wanted) return { list, item: "item" };
    const member = namedMembers(value[0]).find(([key]) => {
      const isWanted = () => canonicalJson(value.map((one: JsonObject) => one[key])) === wanted;
      return value.every(isJsonObject) && isWanted();
    });
    if (member) return { list, item: `item.${member[0]}` };
  }
  return undefined;
}
