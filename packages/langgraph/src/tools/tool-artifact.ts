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

/** In the place of a value that was left out stands `{ [MARK]: index }`, with `json` if the value is not a text. */
interface Stored {
  readonly leftOut?: { readonly values: readonly LeftOut[] };
}

/** One key for all artifacts: an engine keeps a shape of its own for objects with a new one. */
const MARK = "toolrail/leftOut";

/** Shorter texts are not worth a note of where they are. */
const MIN_LENGTH = 200;
/** A text is compared with no more than so many others, however many a server sends. */
const MAX_KNOWN = 32;

/**
 * Takes out of an artifact what stands in the content of its message. `tool-artifact.md` has the reasons. Long texts are
 * compared and never looked up: a `Map` hashes the whole of each, which takes longer than the call.
 */
export function toStored<Artifact extends object>(
  artifact: Artifact,
  parts: readonly ModelPart[],
): Artifact & Stored {
  const said = parts.slice(0, MAX_KNOWN).map(textOf);
  /** The texts that the notes stand for. */
  const known: unknown[] = [];
  const values: LeftOut[] = [];
  /** Leaves a value out, by its text if the message may say it. `left` is what is kept of one that it does not say. */
  const leaveOut = (value: unknown, left: unknown, text?: string) => {
    const again = known.findIndex((one) => one === value || one === text);
    if (again >= 0) return { [MARK]: again };
    const part = text === undefined ? -1 : said.findIndex((one) => isEndOf(one, text));
    values.push(text === undefined || part < 0 ? { value: left } : { part, length: text.length });
    return { [MARK]: known.push(value) - 1 };
  };
  const isWorth = (text: string) => text.length >= MIN_LENGTH && known.length < MAX_KNOWN;
  const strip = (value: unknown, key?: string): unknown => {
    if (isShort(value)) return value;
    if (typeof value === "string") return isWorth(value) ? leaveOut(value, value, value) : value;
    if (!Array.isArray(value) && Object.hasOwn(value, MARK)) {
      const text = JSON.stringify(value); // A server has written it: it must not be taken for a note.
      return { ...leaveOut(value, text, text), json: true };
    }
    // Only these may stand as JSON text in the content of the message.
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
    if (!isJsonObject(value)) return value;
    let copy: Record<string, unknown> | undefined;
    // An engine looks members up by their place here, and not by their names as with a list of these.
    for (const name in value) {
      const member = value[name];
      if (isShort(member) || !Object.hasOwn(value, name)) continue;
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

/** True for a value that is no object, nor a text that is worth a note: most of an artifact. */
function isShort(value: unknown): value is number | boolean | null | undefined {
  if (typeof value === "string") return value.length < MIN_LENGTH;
  return typeof value !== "object" || value === null;
}

/** True if a block says this text: alone, or after a line such as the URI of an embedded resource. */
function isEndOf(said: string, text: string): boolean {
  if (said.length <= text.length) return said === text;
  return said.slice(-text.length) === text; // `endsWith` compares one character at a time.
}

/** The artifact of a message, whole; `undefined` where it is not one that `toStored` made. */
export function readStored(message: ToolMessage): JsonObject | undefined {
  if (!isJsonObject(message.artifact)) return undefined;
  const { leftOut, ...artifact } = message.artifact as JsonObject & Stored;
  if (leftOut === undefined) return artifact;
  if (!Array.isArray(leftOut?.values)) return undefined;
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

/** The artifact of a message of Toolrail, `undefined` for others. Not to be trusted where clients write messages. */
export function artifactOf(message: BaseMessage): ToolArtifact | undefined {
  const artifact = readStored(message as ToolMessage); // No other message has one.
  if (!Array.isArray(artifact?.hops) || !artifact.hops.every(isHop)) return undefined;
  return artifact as unknown as ToolArtifact;
}

/** The hops that a run has made before, by the messages of a state. */
export function earlierHops(state: unknown, runId: string): Hop[] {
  const { messages } = (state ?? {}) as { readonly messages?: unknown };
  const results = Array.isArray(messages) ? messages.filter(ToolMessage.isInstance) : [];
  const artifacts = results.flatMap((message) => artifactOf(message) ?? []);
  return artifacts.filter((one) => one.runId === runId).flatMap(({ hops }) => hops);
}

/** What a model reads of an artifact, whether its chain is over or not. */
export function viewOf(artifact: ToolArtifact, tools: readonly Tool[] = []): ModelView {
  const chain = { ...artifact, ended: artifact.ended ?? "complete" } as ChainResult;
  return modelView(chain, { tools });
}

function textOf(part: ModelPart): string {
  return part.type === "text" ? part.text : part.data;
}
