import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  type ChainEnd,
  type ChainResult,
  type Hop,
  type ModelView,
  modelView,
  type Tool,
  type ToolrailErrorCode,
} from "@toolrail/core";
import type { ModelPart } from "@toolrail/core/adapter";
import { isHop } from "@toolrail/core/internal";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import { readBlocks } from "./content-blocks.ts";

/** The part of a tool message that the application reads and no model does: see `artifactOf`. Plain JSON. */
export interface ToolArtifact {
  readonly runId: string;
  /** The end of the chain. Absent if a hop follows in a separate turn. */
  readonly ended?: ChainEnd;
  /** The calls that this message answers, with their raw results: for `userView` and `modelView`. */
  readonly hops: readonly Hop[];
  /** The reason for the end of the chain. Absent if the chain is complete. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
}

/** A value left out of an artifact: the end of a content block of its message, or a value that occurs several times. */
type LeftOut = { readonly part: number; readonly length: number } | { readonly value: unknown };

/** The values that were left out. Each is replaced by `{ [MARK]: index }`, with `json` if the value is not a text. */
interface Stored {
  readonly leftOut?: { readonly values: readonly LeftOut[] };
}

/** The same key for all artifacts, since a JavaScript engine creates a new object shape for each new key. */
const MARK = "toolrail/leftOut";

/** The shortest text, in characters, that is worth leaving out. */
const MIN_LENGTH = 200;
/** The most texts that a text is compared with, however many a server sends. */
const MAX_KNOWN = 32;

/**
 * Removes from an artifact the texts that the content of its message repeats. `tool-artifact.md` has the reasons.
 * Long texts are compared and never looked up: a `Map` hashes each whole text, which takes longer than the call.
 */
export function toStored<Artifact extends object>(
  artifact: Artifact,
  parts: readonly ModelPart[],
): Artifact & Stored {
  const blockTexts = parts.slice(0, MAX_KNOWN).map(readText);
  const known: unknown[] = [];
  const values: LeftOut[] = [];
  /** Leaves a value out. It is found in the message by its `text`, or stored as `left`. */
  const leaveOut = (value: unknown, left: unknown, text?: string) => {
    const again = known.findIndex((one) => one === value || one === text);
    if (again >= 0) return { [MARK]: again };
    const part = text === undefined ? -1 : blockTexts.findIndex((one) => isEndOf(one, text));
    values.push(text === undefined || part < 0 ? { value: left } : { part, length: text.length });
    return { [MARK]: known.push(value) - 1 };
  };
  const isWorth = (text: string) => text.length >= MIN_LENGTH && known.length < MAX_KNOWN;
  const strip = (value: unknown, key?: string): unknown => {
    if (typeof value === "string") return isWorth(value) ? leaveOut(value, value, value) : value;
    if (Array.isArray(value)) return stripRepeated(value, key);
    if (!isJsonObject(value)) return value;
    if (Object.hasOwn(value, MARK)) {
      const text = JSON.stringify(value); // A server wrote the mark: it must not be read as ours.
      return { ...leaveOut(value, text, text), json: true };
    }
    return stripRepeated(value, key);
  };
  const stripRepeated = (value: object, key?: string): unknown => {
    // The content of the message may repeat only these as JSON text.
    if (key !== "structuredContent" && key !== "value") return stripParts(value);
    const again = known.indexOf(value);
    if (again >= 0) return { [MARK]: again, json: true };
    const left = stripParts(value);
    const text = JSON.stringify(left) ?? "";
    if (!isWorth(text)) return left;
    return { ...leaveOut(value, left, left === value ? text : undefined), json: true };
  };
  const stripParts = (value: object): object => {
    if (Array.isArray(value)) {
      let list: unknown[] | undefined;
      for (let at = 0; at < value.length; at++) {
        const left = strip(value[at]);
        if (left === value[at]) continue;
        list ??= [...value];
        list[at] = left;
      }
      return list ?? value;
    }
    let copy: Record<string, unknown> | undefined;
    // A JavaScript engine finds members by position in this loop. `Object.keys` would look up each name.
    for (const name in value) {
      const member = (value as JsonObject)[name];
      if (isShort(member)) continue;
      const left = strip(member, name);
      if (left === member) continue;
      copy ??= { ...value };
      copy[name] = left;
    }
    return copy ?? value;
  };
  const stored = stripParts(artifact) as Artifact;
  return values.length === 0 ? artifact : { ...stored, leftOut: { values } };
}

/** Returns true for most values of an artifact: neither an object nor a text that is worth leaving out. */
function isShort(value: unknown): value is number | boolean | null | undefined {
  if (typeof value === "string") return value.length < MIN_LENGTH;
  return typeof value !== "object" || value === null;
}

/** Returns true if a block is this text, or ends with it after a line such as the URI of an embedded resource. */
function isEndOf(block: string, text: string): boolean {
  if (block.length <= text.length) return block === text;
  return block.slice(-text.length) === text; // `endsWith` compares one character at a time.
}

/** Restores the artifact of a message. Returns `undefined` if `toStored` did not make it. */
export function readStored(message: ToolMessage): JsonObject | undefined {
  if (!isJsonObject(message.artifact)) return undefined;
  const { leftOut, ...artifact } = message.artifact as JsonObject & Stored;
  if (leftOut === undefined) return artifact;
  if (!Array.isArray(leftOut?.values)) return undefined;
  const blocks = readBlocks(message);
  const putBack = (found: LeftOut | undefined, json: boolean): unknown => {
    if (!found) throw new Error("Nothing was left out there.");
    if ("value" in found) {
      const value = restore(found.value);
      if (typeof value === "object") return json ? value : JSON.stringify(value);
      return json ? JSON.parse(String(value)) : value;
    }
    const text = readText(blocks[found.part] as ModelPart).slice(-found.length);
    return json ? JSON.parse(text) : text;
  };
  const restore = (stripped: unknown): unknown =>
    JSON.parse(JSON.stringify(stripped), (_, value: unknown) =>
      isJsonObject(value) && Object.hasOwn(value, MARK)
        ? putBack(leftOut.values[Number(value[MARK])], value.json === true)
        : value,
    );
  try {
    return restore(artifact) as JsonObject;
  } catch {
    return undefined;
  }
}

/**
 * Returns the artifact of a tool message that Toolrail wrote, or `undefined` for any other message. Do not trust it
 * if clients can write messages.
 */
export function artifactOf(message: BaseMessage): ToolArtifact | undefined {
  const artifact = readStored(message as ToolMessage); // Only tool messages have an artifact.
  if (!Array.isArray(artifact?.hops) || !artifact.hops.every(isHop)) return undefined;
  return artifact as unknown as ToolArtifact;
}

export function findEarlierHops(state: unknown, runId: string): Hop[] {
  const { messages } = (state ?? {}) as { readonly messages?: unknown };
  const results = Array.isArray(messages) ? messages.filter(ToolMessage.isInstance) : [];
  const artifacts = results.flatMap((message) => artifactOf(message) ?? []);
  return artifacts.filter((one) => one.runId === runId).flatMap(({ hops }) => hops);
}

/** Returns the model view of an artifact, even if its chain has not ended. */
export function toArtifactView(artifact: ToolArtifact, tools: readonly Tool[] = []): ModelView {
  const chain = { ...artifact, ended: artifact.ended ?? "complete" } as ChainResult;
  return modelView(chain, { tools });
}

function readText(part: ModelPart): string {
  return part.type === "text" ? part.text : part.data;
}
