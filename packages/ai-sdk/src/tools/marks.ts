import { isHopId } from "@toolrail/core/adapter";
import type { ModelOutput, ProviderOptions } from "../sdk-types.ts";
import { asRecord } from "./messages.ts";
import type { ToolOutput } from "./tool-output.ts";

const KEY = "toolrail";

/**
 * The metadata beside a part of a message, which no model and no provider reads. A browser may have changed it, so it
 * only contains names: the pending hop of the host decides whether a hop is made.
 */
export interface Mark extends Partial<Pick<ToolOutput, "userOnly">> {
  /** The host's id of the call if a hop follows from this result. */
  readonly call?: string;
  /** True on the result of a hop if its call was made. */
  readonly made?: boolean;
  /** The model's call that began the chain, on the call of a hop. */
  readonly root?: string;
  /** The hop on the call of a hop, as JSON text without its arguments: a page keeps it while the hop waits for an approval. */
  readonly hop?: string;
  /** The host's seal on this hop, which nobody else can write for another call if the host has a `secret`. */
  readonly seal?: string;
  /** The text that models read instead of this reply, which no model wrote. */
  readonly note?: string;
}

export function toMark(mark: Mark): ProviderOptions {
  return { [KEY]: { ...mark } };
}

/** Reads the mark on a part, or on the output of a result. It is empty if there is none. */
export function readMark(part: unknown): Mark {
  const { value, providerOptions } = asRecord(part);
  const first = Array.isArray(value) ? asRecord(value[0]).providerOptions : undefined;
  const mark = asRecord(asRecord(providerOptions ?? first)[KEY]);
  const known = Object.entries(mark).filter(([name, field]) => KINDS[name] === typeof field);
  return Object.fromEntries(known);
}

const KINDS: Readonly<Record<string, string>> = {
  call: "string",
  userOnly: "boolean",
  made: "boolean",
  root: "string",
  hop: "string",
  seal: "string",
  note: "string",
} satisfies Record<keyof Mark, string>;

export function toOutputMark(source: ToolOutput, toolCallId: string | undefined): Mark {
  const { callId, ended, userOnly, hops } = source;
  const isMade = hops.length > 0;
  return {
    ...(callId !== undefined && ended === undefined && { call: callId }),
    ...(userOnly && { userOnly }),
    ...(isHopId(toolCallId ?? "") && { made: isMade }),
  };
}

export function markOutput(output: ModelOutput, mark: Mark): ModelOutput {
  if (Object.keys(mark).length === 0) return output;
  const providerOptions = toMark(mark);
  if (output.type !== "content") return { ...output, providerOptions };
  const [first, ...rest] = output.value; // `ai` 6 has no options on `content` itself.
  return first ? { ...output, value: [{ ...first, providerOptions }, ...rest] } : output;
}
