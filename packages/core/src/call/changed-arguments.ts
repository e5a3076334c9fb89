import { isJsonObject, isWithin, joinKey } from "@toolrail/json";
import type { ToolCall } from "../types/tool-call.ts";

/**
 * Finds who wrote the arguments of a call that a person has changed. Whatever differs from the original is theirs. Earlier sources
 * count for the rest alone, except that addresses stay sources, whoever wrote them.
 */
export function withPerson({
  arguments: args,
  written = args,
  changedFrom,
  sources = [],
}: ToolCall): Pick<ToolCall, "sources" | "fromPerson"> {
  const parts: Parts = { theirs: [], kept: [] };
  compare(changedFrom, written, { path: "", parts });
  const remaining = sources.flatMap((source) => {
    const { how, path } = source;
    if (how === "reference" || parts.kept.some((kept) => isWithin(path, kept))) return source;
    return parts.kept
      .filter((kept) => isWithin(kept, path))
      .map((kept) => ({ ...source, path: kept }));
  });
  return { fromPerson: parts.theirs, sources: remaining };
}

/** The largest parts of the arguments that a person has written, and those that they kept. */
interface Parts {
  readonly theirs: string[];
  readonly kept: string[];
}

/** Returns true for equal values. Otherwise it notes which parts of the second differ. */
function compare(
  before: unknown,
  after: unknown,
  { path, parts }: { readonly path: string; readonly parts: Parts },
): boolean {
  const [old, now] = [membersOf(before), membersOf(after)];
  if (!old || !now || Array.isArray(before) !== Array.isArray(after)) {
    if (before === after) return true;
    parts.theirs.push(path);
    return false;
  }
  const kept: string[] = [];
  for (const [key, value] of now) {
    const memberPath = joinKey(path, key);
    if (!old.has(key)) parts.theirs.push(memberPath);
    else if (compare(old.get(key), value, { path: memberPath, parts })) kept.push(memberPath);
  }
  if (kept.length === now.size && old.size === now.size) return true;
  for (const one of kept) parts.kept.push(one);
  return false;
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return Array.isArray(value) || isJsonObject(value) ? new Map(Object.entries(value)) : undefined;
}
