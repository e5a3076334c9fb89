import type { ModelOutput, ProviderOptions } from "../sdk-types.ts";
import { asRecord } from "./messages.ts";
import type { ToolOutput } from "./tool-output.ts";

const KEY = "toolrail";

/**
 * What is written beside parts of messages, where no model and no provider reads it. It may come back from a
 * browser, so it only ever names things: whether a hop runs, its ticket decides.
 */
export interface Mark extends Partial<Pick<ToolOutput, "userOnly" | "placeholder">> {
  /** On a result: the host's id of the call, where a hop follows from it. */
  readonly call?: string;
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
  const { call, userOnly, placeholder, root, note } = mark;
  return {
    ...(typeof call === "string" && { call }),
    ...(userOnly === true && { userOnly }),
    ...(placeholder === true && { placeholder }),
    ...(typeof root === "string" && { root }),
    ...(typeof note === "string" && { note }),
  };
}

/** Marks an output with the call that a hop follows from, and with what need not be read. */
export function markOutput(output: ModelOutput, source: ToolOutput): ModelOutput {
  const { callId, ended, userOnly, placeholder } = source;
  const mark: Mark = {
    ...(callId !== undefined && ended === undefined && { call: callId }),
    ...(userOnly && { userOnly }),
    ...(placeholder && { placeholder }),
  };
  if (Object.keys(mark).length === 0) return output;
  const providerOptions = toMark(mark);
  if (output.type !== "content") return { ...output, providerOptions };
  const [first, ...rest] = output.value; // `ai` 6 has no options on `content` itself.
  return first ? { ...output, value: [{ ...first, providerOptions }, ...rest] } : output;
}
