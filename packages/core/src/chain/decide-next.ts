import { toolId } from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../json.ts";
import { withJson } from "../json-text.ts";
import { quoted } from "../plain-text.ts";
import { type Hop, toRef } from "../result/hop.ts";
import { isForUserAlone } from "../result/model-view.ts";
import { holdsUserContent } from "../result/user-content.ts";
import type { CompiledRail, CompiledRails } from "./compile-rails.ts";
import { type NextTool, type NextToolKey, readNextTool, toNextTool } from "./next-tool.ts";
import { toRailView } from "./rail.ts";

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
  /** True if its arguments hold what is for the user alone. */
  readonly forUserAlone: boolean;
}

/**
 * Rails that override, then the server's own word, then the other rails, each in order: the first counts. Throws
 * `malformed-next-tool`, and `rail-failed` where the rail that counts cannot make its call.
 */
export function decideNext(
  { nextToolKeys, rails, onUnread }: NextWords,
  { hop, context }: { readonly hop: Hop; readonly context: unknown },
): AskedNext | undefined {
  if (rails.calls.length === 0) {
    const asked = askServer(hop, nextToolKeys);
    return asked && { next: asked, forUserAlone: holdsUserContent(asked.arguments, hop) };
  }
  const near = rails.calls.filter((rail) => rail.after(toRef(hop)) && isOn(rail, hop));
  const first = near.filter(({ overrides }) => overrides);
  const others = near.filter(({ overrides }) => !overrides);
  for (const rail of [...first, undefined, ...others]) {
    const next = rail ? askRail(rail, { hop, context, onUnread }) : askServer(hop, nextToolKeys);
    if (next === undefined) continue;
    if (next === false) return undefined;
    const args = next.arguments;
    const isMade = rail !== undefined && isMadeOfHidden(rail, { hop, context, args });
    return { next, rail, forUserAlone: isMade || holdsUserContent(args, hop) };
  }
  return undefined;
}

function isOn({ on }: CompiledRail, { result, output }: Hop): boolean {
  const isBad = result.isError === true || output.status === "invalid";
  return on === "any" || (on === "error") === isBad;
}

function askServer(hop: Hop, keys: readonly NextToolKey[]): NextTool | undefined {
  const next = readNextTool(hop.result, keys);
  if (typeof next !== "string") return next;
  throw new ToolrailError("malformed-next-tool", `${resultOf(hop)}: ${quoted(next)}.`);
}

/** The call of a rail; `false` where it ends the chain, and nothing where it does not apply. */
function askRail(
  rail: CompiledRail,
  { hop, context, onUnread }: Pick<NextWords, "onUnread"> & { hop: Hop; context: unknown },
): NextTool | false | undefined {
  const view = toRailView(hop, context);
  const holds = rail.when ? rail.when.evaluate(view) : ALWAYS;
  if (!holds.ok || typeof holds.value !== "boolean") onUnread(rail.name, hop);
  if (!holds.ok || holds.value !== true) return undefined;
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

function resultOf(hop: Hop): string {
  return `The result of ${toolId(toRef(hop))}`;
}
