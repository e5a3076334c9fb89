import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
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

/** What was left out of an artifact: the end of a content block of its message, or what may stand in it several times. */
type LeftOut = { readonly part: number; readonly length: number } | { readonly value: unknown };

/** In the place of a value that was left out stands `{ [mark]: index }`, with `json` where the value is not a text. */
interface Stored {
  readonly leftOut?: { readonly mark: string; readonly values: readonly LeftOut[] };
}

/** Shorter texts are not worth a note of where they are. */
const MIN_LENGTH = 200;

/** The keys of values that may stand as JSON text in the content of the message. */
const STRUCTURED: ReadonlySet<unknown> = new Set(["structuredContent", "value"]);

/** An artifact without what stands in the content of its message. `tool-artifact.md` has the reasons. */
export function toStored<Artifact extends object>(
  artifact: Artifact,
  parts: readonly ModelPart[],
): Artifact & Stored {
  const known = new Map<string, LeftOut>();
  for (const [part, block] of parts.entries()) {
    const text = textOf(block);
    // The text of an embedded resource comes after a line with its URI.
    for (const shown of [text, text.slice(text.indexOf("\n") + 1)]) {
      known.set(shown, { part, length: shown.length });
    }
  }
  const mark = crypto.randomUUID(); // No server can have written it.
  const leftOut = new Set<LeftOut>();
  const strip = (value: unknown, key?: string): unknown => {
    const json = STRUCTURED.has(key) && typeof value === "object";
    const text = json ? JSON.stringify(value) : value;
    if (typeof text === "string" && text.length >= MIN_LENGTH) {
      const found = known.get(text) ?? { value: json ? stripParts(value) : text };
      known.set(text, found);
      leftOut.add(found);
      return { [mark]: [...leftOut].indexOf(found), ...(json && { json }) };
    }
    return stripParts(value);
  };
  const stripParts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => strip(one));
    if (!isJsonObject(value)) return value;
    const copy: Record<string, unknown> = { ...value };
    for (const name of Object.keys(copy)) copy[name] = strip(copy[name], name);
    return copy;
  };
  const stored = strip(artifact) as Artifact;
  return leftOut.size === 0 ? artifact : { ...stored, leftOut: { mark, values: [...leftOut] } };
}

/** The artifact of a message, whole; `undefined` where it is not one that `toStored` made. */
export function readStored(message: ToolMessage): JsonObject | undefined {
  if (!isJsonObject(message.artifact)) return undefined;
  const { leftOut, ...artifact } = message.artifact as JsonObject & Stored;
  if (leftOut === undefined) return artifact;
  if (typeof leftOut?.mark !== "string") return undefined;
  const blocks = blocksOf(message);
  const putBack = (found: LeftOut | undefined, json: boolean): unknown => {
    if (!found) throw new Error("Nothing was left out there.");
    if ("value" in found) {
      const value = restore(found.value);
      if (typeof value === "object") return json ? value : JSON.stringify(value);
      return json ? JSON.parse(String(value)) : value;
    }
    const text = textOf(blocks[found.part] as ModelPart).slice(-found.length);
    return json ? JSON.parse(text) : text;
  };
  const restore = (stripped: unknown): unknown =>
    JSON.parse(JSON.stringify(stripped), (_, value: unknown) =>
      isJsonObject(value) && Object.hasOwn(value, leftOut.mark)
        ? putBack(leftOut.values[Number(value[leftOut.mark])], value.json === true)
        : value,
    );
  try {
    return restore(artifact) as JsonObject;
  } catch {
    return undefined;
  }
}

/** The artifact of a message of Toolrail, `undefined` for others. Not to be trusted where clients write messages. */
export function artifactOf(message: BaseMessage): ToolArtifact | undefined {
  const artifact = readStored(message as ToolMessage); // No other message has one.
  if (!Array.isArray(artifact?.hops) || !artifact.hops.every(isHop)) return undefined;
  return artifact as unknown as ToolArtifact;
}

/** What a model reads of an artifact, whether its chain is over or not. */
export function viewOf(artifact: ToolArtifact): ModelView {
  return modelView({ ...artifact, ended: artifact.ended ?? "complete" } as ChainResult);
}

function textOf(part: ModelPart): string {
  return part.type === "text" ? part.text : part.data;
}
