import type { JsonObject } from "@toolrail/json";
import type { UsedReference } from "../result/used-reference.ts";
import type { Store } from "../types/store.ts";
import type { HostTool } from "../types/tool.ts";
import type { ArgumentSource, Policy, Provenance, ToolCall } from "../types/tool-call.ts";

/** Something that a model has read in a scope. */
export interface ReadText extends Pick<ArgumentSource, "server" | "tool" | "callId"> {
  readonly scope: string;
  readonly text: string;
  /** What the call was given, as JSON: a tool that repeats it is not its source. */
  readonly asked?: string;
}

/** Knows what was read in each scope, and finds it again in arguments. */
export interface SourceTracker {
  /** The names that `host.note` may give to what it records. Absent: any. */
  readonly notes?: readonly string[] | undefined;
  /** Rejects where the store of the host fails: the call is then refused. */
  find(call: {
    readonly scope: string;
    readonly tool: HostTool;
    readonly arguments: JsonObject;
    readonly userText: string | readonly string[];
    /** What is known exactly. */
    readonly exact: readonly ArgumentSource[];
    /** Paths of the arguments that are searched, or of none; all are if the call has none of them, and by default. */
    readonly targets?: readonly string[] | undefined;
  }): Promise<Provenance>;
  /** Writes down that something is about to be read. Rejects if the store of the host fails: then nothing may be read. */
  expect(read: Pick<ReadText, "scope" | "server" | "tool">): Promise<void>;
  /** Keeps what was read, to find it again. */
  keep(read: ReadText): Promise<void>;
}

/** Makes a host track sources: see `trackSources`. */
export type SourceTracking = ((host: { readonly store: Store; now(): number }) => SourceTracker) &
  Pick<SourceTracker, "notes">;

/** What those who make the call know exactly of its arguments, and what addresses in them stand for. */
export function exactSources(
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

/** Sources as an event may name them: by the arguments of the tool, since keys inside them may be values. */
export function placesOf(sources: readonly ArgumentSource[]) {
  const places = sources.map(({ from: _, path, ...place }) => ({
    ...place,
    path: /^(?:\["(?:[^"\\]|\\.)*"\]|[^.[]*)/.exec(path)?.[0] ?? "",
  }));
  // Of a long list of arguments, one place is enough.
  return [...new Map(places.map((place) => [Object.values(place).join("\n"), place])).values()];
}

/** The arguments that policies look at; `undefined` if one of them may look at any. */
export function targetsOf(
  policies: readonly Policy[],
  { id }: HostTool,
): readonly string[] | undefined {
  const targets = policies.map((policy) => policy.targets?.(id));
  const areKnown = targets.length > 0 && targets.every((paths) => paths !== undefined);
  return areKnown ? targets.flat() : undefined;
}
