import type { Hop } from "./hop.ts";

/** The most characters of changed arguments that a model reads. */
const MAX_LENGTH = 500;

/** Returns the sentence that informs a model of changed arguments, or `undefined` if they were not changed. */
export function changeText(hop: Partial<Hop>): string | undefined {
  const { arguments: args, written = args, changedFrom, origin } = hop;
  if (!changedFrom) return undefined;
  const text = origin?.forUserAlone ? "" : JSON.stringify(written);
  const shown = text === "" || text.length > MAX_LENGTH ? "" : `: ${text}`;
  return `The person who approved this call changed its arguments${shown}.`;
}
