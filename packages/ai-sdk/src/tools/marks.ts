import { isHopId } from "@toolrail/core/adapter";
import type { ModelOutput, ProviderOptions } from "../sdk-types.ts";
import { asRecord } from "./messages.ts";
import type { ToolOutput } from "./tool-output.ts";

const KEY = "toolrail";

/**
 * What is written beside parts of messages, where no model and no provider reads it. It may come back from a
 * browser, so it only ever names things: whether a hop runs, the pending hop of the host decides.
 */
export interface Mark extends Partial<Pick<ToolOutput, "userOnly">> {
  /** On a result: the host's id of the call, where a hop follows from it. */
  readonly call?: string;
  /** On the result of a hop: whether the call was made, and this is what it answered. */
  readonly made?: boolean;
  /** On a result: its call waits, and what comes of it later is told in its place. */
  readonly waits?: boolean;
  /** On the call of a hop: the model's call that its chain began with. */
  readonly root?: string;
  /** On a reply that no model wrote: what models read in its place. */
  readonly note?: string;
}

/** A mark, as the SDK keeps it beside a part. */
export function toMark(mark: Mark): ProviderOptions {
  return { [KEY]: { ...mark } };
}

/** The mark on a part, or on the output of a result. Empty for all others. */
export function readMark(part: unknown): Mark {
  const { value, providerOptions } = asRecord(part);
  const first = Array.isArray(value) ? asRecord(value[0]).providerOptions : undefined;
  const mark = asRecord(asRecord(providerOptions ?? first)[KEY]);
  const { call, userOnly, made, waits, root, note } = mark;
  return {
    ...(typeof call === "string" && { call }),
    ...(userOnly === true && { userOnly }),
    ...(typeof made === "boolean" && { made }),
    ...(waits === true && { waits }),
    ...(typeof root === "string" && { root }),
    ...(typeof note === "string" && { note }),
  };
}

/** The mark of an output: the call that a hop follows from, whether it is itself a hop that was made, and what need not be read. */
export function toOutputMark(source: ToolOutput, toolCallId: string | undefined): Mark {
  const { callId, ended, userOnly, placeholder, hops } = source;
  const isMade = hops.length > 0;
  return {
    ...(callId !== undefined && ended === undefined && { call: callId }),
    ...(userOnly && { userOnly }),
    ...(isHopId(toolCallId ?? "") && { made: isMade }),
    ...(placeholder && !isMade && callId !== undefined && { waits: true }),
  };
}

/** Marks an output. */
export function markOutput(output: ModelOutput, mark: Mark): ModelOutput {
  if (Object.keys(mark).length === 0) return output;
  const providerOptions = toMark(mark);
  if (output.type !== "content") return { ...output, providerOptions };
  const [first, ...rest] = output.value; // `ai` 6 has no options on `content` itself.
  return first ? { ...output, value: [{ ...first, providerOptions }, ...rest] } : output;
}
