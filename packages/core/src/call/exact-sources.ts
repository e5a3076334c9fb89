import type { CallOrigin } from "../result/hop.ts";
import type { UsedReference } from "../result/used-reference.ts";
import type { ArgumentSource } from "./argument-source.ts";

/** What those who make the call know exactly of its arguments, and what addresses in them stand for. */
export function exactSources({
  origin,
  sources = [],
  references = [],
}: {
  readonly origin: CallOrigin;
  readonly sources?: readonly ArgumentSource[] | undefined;
  readonly references?: readonly UsedReference[] | undefined;
}): readonly ArgumentSource[] {
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

/** Sources as an event may name them: by the arguments of the tool, since keys inside them may be values. */
export function placesOf(sources: readonly ArgumentSource[]) {
  return sources.map(({ from: _, path, ...place }) => ({
    ...place,
    path: path.split(".")[0] ?? "",
  }));
}
