import { quoted } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import { type Hop, toRef } from "../result/hop.ts";
import { holdsUserContent } from "../result/user-content.ts";
import { toolId } from "../types/tool.ts";
import type { CompiledRail, CompiledRails } from "./compile-rails.ts";
import { type NextTool, type NextToolKey, readNextTool } from "./next-tool.ts";

/** Who may say what follows from a result. */
export interface NextWords {
  readonly nextToolKeys: readonly NextToolKey[];
  readonly rails: CompiledRails;
  /** Asks the rails too. Absent if there are none. */
  readonly askRails?: AskRails | undefined;
  /** Receives the rails that stand after a tool and did not apply to its result. Absent if nobody listens. */
  readonly onSkipped?: ((skipped: SkippedRail, hop: Hop) => void) | undefined;
}

/** A rail that did not apply, and why. */
export interface SkippedRail {
  readonly rule: string;
  readonly reason: string;
}

/** What is asked for after a result, and by which rail where it was not the server. */
export interface AskedNext {
  readonly next: NextTool;
  readonly rail?: CompiledRail | undefined;
  /** True if its arguments hold what is for the user alone. */
  readonly forUserAlone: boolean;
}

/** Asks the rails that override, then the server, then the other rails, each in order. The first that answers counts. */
export type AskRails = (
  words: Pick<NextWords, "rails" | "onSkipped">,
  asked: {
    readonly hop: Hop;
    readonly context: unknown;
    askServer(): NextTool | undefined;
  },
) => AskedNext | undefined;

/**
 * Decides what follows from a result. Throws `malformed-next-tool`, and `rail-failed` where the rail that counts cannot
 * make its call.
 */
export function decideNext(
  words: NextWords,
  { hop, context }: { readonly hop: Hop; readonly context: unknown },
): AskedNext | undefined {
  const ask = () => askServer(hop, words.nextToolKeys);
  if (words.askRails) return words.askRails(words, { hop, context, askServer: ask });
  const next = ask();
  return next && { next, forUserAlone: holdsUserContent(next.arguments, hop) };
}

function askServer(hop: Hop, keys: readonly NextToolKey[]): NextTool | undefined {
  const next = readNextTool(hop.result, keys);
  if (typeof next !== "string") return next;
  throw new ToolrailError("malformed-next-tool", `${resultOf(hop)}: ${quoted(next)}.`);
}

/** Names the result of a call, as the beginning of an error. */
export function resultOf(hop: Hop): string {
  return `The result of ${toolId(toRef(hop))}`;
}
