import { canonicalJson, isJsonObject, type JsonObject, quoted, withJson } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import { type Hop, toRef } from "../result/hop.ts";
import { isForUserAlone } from "../result/model-view.ts";
import { holdsUserContent } from "../result/user-content.ts";
import type { NextCall } from "../types/plugin.ts";
import type { CompiledRail, CompiledRails } from "./compile-rails.ts";
import { resultOf } from "./decide-next.ts";
import { type NextTool, toNextTool } from "./next-tool.ts";
import { toRailView } from "./rail.ts";

/** A rail that did not apply, and why. */
export interface SkippedRail {
  readonly rule: string;
  readonly reason: string;
}

interface Asked {
  readonly hop: Hop;
  readonly context: unknown;
  askServer(): Promise<NextCall | undefined>;
  onSkipped(skipped: SkippedRail): void;
}

/**
 * Asks the rails that override, then the server, then the other rails, each in order. The first that answers counts. Throws
 * `rail-failed` if the rail that counts cannot make its call.
 */
export async function askRails(
  rails: Pick<CompiledRails, "calls">,
  { hop, context, askServer, onSkipped }: Asked,
): Promise<NextCall | undefined> {
  const near = rails.calls.filter((rail) => rail.after(toRef(hop)));
  const first = near.filter(({ overrides }) => overrides);
  const others = near.filter(({ overrides }) => !overrides);
  const skip = (rail: CompiledRail | undefined, reason: string) => {
    if (rail) onSkipped({ rule: rail.name, reason });
  };
  const order = [...first, undefined, ...others];
  for (const [at, rail] of order.entries()) {
    const next = rail ? askRail(rail, { hop, context }) : await askServer();
    if (typeof next === "string") skip(rail, next);
    if (typeof next === "string" || next === undefined) continue;
    const before = rail
      ? `the rail "${rail.name}" went first`
      : "the server named the next tool itself";
    for (const other of order.slice(at + 1)) skip(other, before);
    if (next === false) return undefined;
    if (rail === undefined) return next;
    const { tool, arguments: args = {} } = next;
    const isMade = isMadeOfHidden(rail, { hop, context, args });
    const forUserAlone = isMade || holdsUserContent(args, hop);
    return { tool, arguments: args, rule: rail.name, forUserAlone };
  }
  return undefined;
}

function isOn({ on }: CompiledRail, { result, output }: Hop): boolean {
  const isBad = result.isError === true || output.status === "invalid";
  return on === "any" || (on === "error") === isBad;
}

/** The call of a rail, or `false` if it ends the chain. A text says why the rail does not apply. */
function askRail(
  rail: CompiledRail,
  { hop, context }: { readonly hop: Hop; readonly context: unknown },
): NextTool | false | string {
  if (!isOn(rail, hop)) {
    return `it is for ${rail.on === "error" ? "errors" : "results without an error"}`;
  }
  const view = toRailView(hop, context);
  const holds = rail.when ? rail.when.evaluate(view) : ALWAYS;
  const unread = holds.ok
    ? typeof holds.value !== "boolean" && "its `when` is neither true nor false"
    : `its \`when\` cannot be read: ${quoted(holds.message)}`;
  if (unread && rail.stops) {
    const message = `The chain ends, since the rail "${quoted(rail.name)}" is there to end it: ${unread}.`;
    throw new ToolrailError("rail-failed", message);
  }
  if (unread) return unread;
  if (!holds.ok || holds.value !== true) return "its `when` is false";
  try {
    const value = rail.next(view);
    if (value === undefined || value === null) return "its `next` returned nothing";
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

/** True if a rail made these arguments, or may have, out of what is for the user alone. */
function isMadeOfHidden(
  { isOwnCode, next }: CompiledRail,
  { hop, context, args }: { readonly hop: Hop; context: unknown; readonly args: JsonObject },
): boolean {
  const { result, origin } = hop;
  const isHidden = isForUserAlone(result) && result.structuredContent !== undefined;
  if (!(isHidden || origin.forUserAlone) || Object.keys(args).length === 0) return false;
  if (isOwnCode) return true;
  const { structured, ...view } = toRailView(hop, context);
  const read = isHidden ? view : { ...view, structured };
  try {
    const known = { ...read, arguments: origin.forUserAlone ? {} : view.arguments };
    const made = next(withJson(known, { source: result }));
    return canonicalJson(isJsonObject(made) && made.arguments) !== canonicalJson(args);
  } catch {
    return true; // It reads what is not there.
  }
}

const ALWAYS = { ok: true, value: true } as const;
