import { asRecord } from "./messages.ts";
import type { ModelOutput, ProviderOptions } from "./sdk-types.ts";
import type { ToolOutput } from "./tool-output.ts";

// What we write beside parts of messages, where no model and no provider reads it. It may come back
// from a browser, so it only ever names things: whether a hop runs, the host's ledger decides.

const KEY = "toolrail";

/** What is kept beside the result of a call. */
export interface ResultMark {
  /** The host's id of the call, where a hop follows from it. */
  readonly call?: string;
  readonly userOnly: boolean;
  readonly placeholder: boolean;
}

/** Marks an output with the call that a hop follows from, and with what need not be read. */
export function markOutput(output: ModelOutput, source: ToolOutput): ModelOutput {
  const { callId, ended, userOnly, placeholder } = source;
  const mark = {
    ...(callId !== undefined && ended === undefined && { call: callId }),
    ...(userOnly && { userOnly }),
    ...(placeholder && { placeholder }),
  };
  if (Object.keys(mark).length === 0) return output;
  const providerOptions: ProviderOptions = { [KEY]: mark };
  if (output.type !== "content") return { ...output, providerOptions };
  const [first, ...rest] = output.value; // `ai` 6 has no options on `content` itself.
  return first ? { ...output, value: [{ ...first, providerOptions }, ...rest] } : output;
}

/** The mark on a tool result. */
export function readResultMark(output: unknown): ResultMark {
  const { value, providerOptions } = asRecord(output);
  const part = Array.isArray(value) ? asRecord(value[0]) : {};
  const { call, userOnly, placeholder } = asRecord(
    asRecord(providerOptions ?? part.providerOptions)[KEY],
  );
  return {
    ...(typeof call === "string" && { call }),
    userOnly: userOnly === true,
    placeholder: placeholder === true,
  };
}

/** The options of a hop's call: the model's call that its chain began with. */
export function hopOptions(root: string, depth: number): ProviderOptions {
  return { [KEY]: { root, depth } };
}

/** The model's call that a part of a hop belongs to, or `undefined` for a part of anything else. */
export function readRoot(part: unknown): string | undefined {
  const { root } = asRecord(asRecord(asRecord(part).providerOptions)[KEY]);
  return typeof root === "string" ? root : undefined;
}
