import type { Hop } from "./hop.ts";

/** So many characters of changed arguments are told to a model. */
const MAX_TOLD = 500;

/** The sentence by which a model knows that a call was made with other arguments than were asked for; `undefined` if it was not. */
export function changeText(hop: Partial<Hop>): string | undefined {
  const { arguments: args, written = args, changedFrom, origin } = hop;
  if (!changedFrom) return undefined;
  const text = origin?.forUserAlone ? "" : JSON.stringify(written);
  const told = text === "" || text.length > MAX_TOLD ? "" : `: ${text}`;
  return `The person who approved this call changed its arguments${told}.`;
}
