import type { ToolMessage } from "@langchain/core/messages";
import {
  type ChainEnd,
  type ChainResult,
  type Hop,
  type JsonObject,
  type ModelView,
  modelView,
  type ToolrailErrorCode,
} from "@toolrail/core";
import { isHop, isJsonObject, type ModelPart } from "@toolrail/core/adapter";
import { blocksOf } from "./content-blocks.ts";

/** What the application gets of a tool message and no model reads: see `artifactOf`. Plain JSON. */
export interface ToolArtifact {
  readonly runId: string;
  /** Absent where the chain goes on in a turn of its own. */
  readonly ended?: ChainEnd;
  /** Every call that this message answers for, with its raw result: for `userView` and `modelView`. */
  readonly hops: readonly Hop[];
  /** Why the chain ended, unless it is complete. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
}

type Path = readonly (string | number)[];

/** Where a value stands that was left out of an artifact. */
interface Place {
  /** The content block of the message that ends with its text, or with its JSON, and how long that is. */
  readonly part?: number;
  readonly length?: number;
  readonly json?: boolean;
  /** Or the place in the artifact that has the same value. */
  readonly from?: Path;
}

interface LeftOut extends Place {
  readonly path: Path;
}

/** Shorter texts are not worth a note of where they are. */
const MIN_LENGTH = 200;

/** The keys of values that may stand as JSON text in the content of the message. */
const STRUCTURED: ReadonlySet<unknown> = new Set(["structuredContent", "value"]);

/** An artifact without what stands in the content of its message. `tool-artifact.md` has the reasons. */
export function toStored<Artifact extends object>(
  artifact: Artifact,
  parts: readonly ModelPart[],
): Artifact & { readonly leftOut?: readonly LeftOut[] } {
  const places = new Map<string, Place>();
  for (const [part, block] of parts.entries()) {
    const text = textOf(block);
    // The text of an embedded resource comes after a line with its URI.
    for (const shown of [text, text.slice(text.indexOf("\n") + 1)]) {
      places.set(shown, { part, length: shown.length });
    }
  }
  const leftOut: LeftOut[] = [];
  const path: (string | number)[] = [];
  /** A copy where anything is left out below, else the value itself. */
  const strip = (value: unknown): unknown => {
    const json = path.length <= 4 && STRUCTURED.has(path.at(-1));
    const text = json ? JSON.stringify(value) : value;
    if (typeof text === "string" && text.length >= MIN_LENGTH) {
      const place = places.get(text);
      if (place) leftOut.push({ path: [...path], ...place, ...(json && { json }) });
      if (place) return null;
      if (json) places.set(text, { from: [...path] });
    }
    if (typeof value !== "object" || value === null) return value;
    const isList = Array.isArray(value);
    if (!isList && !isJsonObject(value)) return value;
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(value)) {
      path.push(isList ? Number(key) : key);
      const item = (value as JsonObject)[key];
      const kept = strip(item);
      path.pop();
      if (kept === item) continue;
      copy ??= (isList ? [...value] : { ...value }) as Record<string, unknown>;
      copy[key] = kept;
    }
    return copy ?? value;
  };
  const stored = strip(artifact) as Artifact;
  return { ...stored, ...(leftOut.length > 0 && { leftOut }) };
}

/** The artifact of a message, whole; `undefined` where it is not one that `toStored` made. */
export function readStored(message: ToolMessage): JsonObject | undefined {
  try {
    const { leftOut = [], ...artifact } = structuredClone(message.artifact);
    for (const one of leftOut as readonly LeftOut[]) restore(artifact, one, blocksOf(message));
    return artifact;
  } catch {
    return undefined;
  }
}

/** The artifact of a message of Toolrail, `undefined` for others. Not to be trusted where clients write messages. */
export function artifactOf(message: ToolMessage): ToolArtifact | undefined {
  const artifact = readStored(message);
  if (!Array.isArray(artifact?.hops) || !artifact.hops.every(isHop)) return undefined;
  return artifact as unknown as ToolArtifact;
}

/** What a model reads of an artifact, whether its chain is over or not. */
export function viewOf(artifact: ToolArtifact): ModelView {
  return modelView({ ...artifact, ended: artifact.ended ?? "complete" } as ChainResult);
}

function restore(
  artifact: object,
  { path, part = -1, length = 0, json, from }: LeftOut,
  parts: readonly ModelPart[],
): void {
  const holder = valueAt(artifact, path.slice(0, -1)) as Record<string, unknown>;
  const key = path.at(-1) ?? "";
  valueAt(holder, [key]);
  const text = from
    ? JSON.stringify(valueAt(artifact, from))
    : textOf(parts[part] as ModelPart).slice(-length);
  holder[key] = json ? JSON.parse(text) : text;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (!Object.hasOwn(value as object, key)) throw new Error(`There is no ${key}.`);
    return (value as Record<string, unknown>)[key];
  }, root);
}

function textOf(part: ModelPart): string {
  return part.type === "text" ? part.text : part.data;
}
