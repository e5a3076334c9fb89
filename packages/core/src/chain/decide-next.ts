import { toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import { quoted } from "../plain-text.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { CompiledRail, CompiledRails } from "./compile-rails.ts";
import { type NextTool, type NextToolKey, readNextTool, toNextTool } from "./next-tool.ts";
import { type RailView, toRailView } from "./rail.ts";

/** Who may say what follows from a result. */
export interface NextWords {
  readonly nextToolKeys: readonly NextToolKey[];
  readonly rails: CompiledRails;
  /** Told of a rail whose `when` cannot be read. */
  onUnread(rule: string, hop: Hop): void;
}

/** What is asked for after a result, and by which rail where it was not the server. */
export interface AskedNext {
  readonly next: NextTool;
  readonly rail?: CompiledRail | undefined;
}

/**
 * Rails that override, then the server's own word, then the other rails, each in order: the first counts. Throws
 * `malformed-next-tool`, and `rail-failed` where the rail that counts cannot make its call.
 */
export function decideNext(
  { nextToolKeys, rails, onUnread }: NextWords,
  { hop, context }: { readonly hop: Hop; readonly context: unknown },
): AskedNext | undefined {
  const near = rails.calls.filter((rail) => rail.after(toRef(hop)) && isOn(rail, hop));
  const view = near.length > 0 ? toRailView(hop, context) : undefined;
  const askRails = (overrides: boolean) => {
    for (const rail of near) {
      if (view === undefined || rail.overrides !== overrides) continue;
      const holds = rail.when ? rail.when.evaluate({ ...view }) : ALWAYS;
      if (!holds.ok || typeof holds.value !== "boolean") onUnread(rail.name, hop);
      const next = holds.ok && holds.value === true ? askRail(rail, { hop, view }) : undefined;
      if (next !== undefined) return { next, rail };
    }
    return undefined;
  };
  const { next, rail } = askRails(true) ?? askServer(hop, nextToolKeys) ?? askRails(false) ?? NONE;
  return next ? { next, rail } : undefined;
}

const ALWAYS = { ok: true, value: true } as const;
const NONE: Partial<AskedNext> = {};

function isOn({ on }: CompiledRail, { result, output }: Hop): boolean {
  const isBad = result.isError === true || output.status === "invalid";
  return on === "any" || (on === "error") === isBad;
}

function askServer(hop: Hop, keys: readonly NextToolKey[]): Partial<AskedNext> | undefined {
  const next = readNextTool(hop.result, keys);
  if (typeof next !== "string") return next && { next };
  throw new ToolrailError("malformed-next-tool", `${resultOf(hop)}: ${quoted(next)}.`);
}

/** The call of a rail; `false` where it ends the chain, and nothing where it does not apply. */
function askRail(
  rail: CompiledRail,
  { hop, view }: { readonly hop: Hop; readonly view: RailView },
): NextTool | false | undefined {
  try {
    const value = rail.next(view);
    if (value === undefined || value === null) return undefined;
    const next = value === false ? value : toNextTool(value);
    if (typeof next === "string") throw new ToolrailError("rail-failed", `its call ${next}`);
    return next;
  } catch (cause) {
    const isOurs = ToolrailError.isInstance(cause);
    const why = isOurs ? cause.message : "its `next` threw an error (see `cause`)";
    const message = `The rail "${quoted(rail.name)}" could not make its call. ${resultOf(hop)}: ${quoted(why)}.`;
    throw new ToolrailError("rail-failed", message, { cause });
  }
}

function resultOf(hop: Hop): string {
  return `The result of ${toolId(toRef(hop))}`;
}
