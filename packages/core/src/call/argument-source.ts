import type { UsedReference } from "../result/used-reference.ts";
import type { Tool } from "../types/tool.ts";
import type { ArgumentSource, Policy, ToolCall } from "../types/tool-call.ts";

/** Returns the sources that are known exactly: those that the caller names, and the results that addresses in the arguments refer to. */
export function collectSources(
  { origin, references = [] }: Pick<ToolCall, "origin" | "references">,
  sources: readonly ArgumentSource[] = [],
): readonly ArgumentSource[] {
  const known = references.length === 0 ? sources : [...sources, ...references.map(toSource)];
  if (origin.by !== "chain") return known;
  const { after, causedBy: callId } = origin;
  const dot = after.indexOf(".");
  const place = { server: after.slice(0, dot), tool: after.slice(dot + 1), callId };
  return [...known, { path: "", ...place, from: "_meta.nextTool.arguments", how: "chain" }];
}

function toSource({ address, preview: _, path, ...place }: UsedReference): ArgumentSource {
  const from = address.slice(address.indexOf(".") + 1);
  return { ...place, path, from, how: "reference" };
}

/** Shortens the paths of sources to the argument of the tool, for an event: keys inside an argument may be values. */
export function toPlaces(sources: readonly ArgumentSource[]) {
  const places = sources.map(({ from: _, path, ...place }) => ({
    ...place,
    path: /^(?:\["(?:[^"\\]|\\.)*"\]|[^.[]*)/.exec(path)?.[0] ?? "",
  }));
  // A long list of arguments needs only one entry.
  return [...new Map(places.map((place) => [Object.values(place).join("\n"), place])).values()];
}

/** Returns the arguments that policies look at, or `undefined` if one of them may look at any. */
export function collectTargets(
  policies: readonly Policy[],
  { id }: Tool,
): readonly string[] | undefined {
  const targets = policies.map((policy) => policy.targets?.(id));
  const areKnown = targets.length > 0 && targets.every((paths) => paths !== undefined);
  return areKnown ? targets.flat() : undefined;
}
