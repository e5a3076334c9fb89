import { ToolrailError } from "../errors.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { CompiledRail } from "./compile-rails.ts";
import { type NextTool, type NextToolKey, readNextTool, toNextTool } from "./next-tool.ts";
import { type RailView, toRailView } from "./rail.ts";

/** What is asked for after a result, and by which rail where it was not the server. */
export type AskedNext =
  | { readonly type: "call"; readonly next: NextTool; readonly rail?: CompiledRail }
  | { readonly type: "none" }
  | {
      readonly type: "malformed";
      readonly why: string;
      readonly rail?: CompiledRail;
      readonly cause?: unknown;
    };

interface Words {
  readonly nextToolKeys: readonly NextToolKey[];
  readonly rails: readonly CompiledRail[];
  /** Told of a rail whose `when` cannot be read. */
  onUnread(rail: CompiledRail): void;
}

/** Rails that override, then the server's own word, then the other rails, each in order: the first counts. */
export function decideNext(
  { nextToolKeys, rails, onUnread }: Words,
  { hop, context }: { readonly hop: Hop; readonly context: unknown },
): AskedNext {
  const near = rails.filter((rail) => rail.after(toRef(hop)) && isOn(rail, hop));
  const view = near.length > 0 ? toRailView(hop, context) : undefined;
  const askRails = (overrides: boolean): AskedNext | undefined => {
    for (const rail of near) {
      if (view === undefined || rail.overrides !== overrides) continue;
      const holds = rail.when ? rail.when.evaluate({ ...view }) : ALWAYS;
      if (!holds.ok || typeof holds.value !== "boolean") onUnread(rail);
      const asked = holds.ok && holds.value === true ? askRail(rail, view) : undefined;
      if (asked) return asked;
    }
    return undefined;
  };
  const first = askRails(true);
  if (first) return first;
  const own = readNextTool(hop.result, nextToolKeys);
  if (typeof own === "string") return { type: "malformed", why: own };
  return own ? { type: "call", next: own } : (askRails(false) ?? { type: "none" });
}

const ALWAYS = { ok: true, value: true } as const;

function isOn({ on }: CompiledRail, { result, output }: Hop): boolean {
  const isBad = result.isError === true || output.status === "invalid";
  return on === "any" || (on === "error") === isBad;
}

function askRail(rail: CompiledRail, view: RailView): AskedNext | undefined {
  try {
    const value = rail.next(view);
    if (value === undefined || value === null) return undefined;
    if (value === false) return { type: "none" };
    const next = toNextTool(value);
    if (typeof next !== "string") return { type: "call", next, rail };
    return { type: "malformed", why: `its call ${next}`, rail };
  } catch (cause) {
    const why = ToolrailError.isInstance(cause)
      ? cause.message
      : "its `next` threw an error (see `cause`)";
    return { type: "malformed", why, rail, cause };
  }
}
