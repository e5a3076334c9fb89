import { type ToolRef, toolId } from "../call/tool.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { sha256 } from "../hash.ts";
import { canonicalJson } from "../json.ts";
import { quoted } from "../plain-text.ts";
import type { ChainEnd, ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef, toTraced } from "../result/hop.ts";
import type { ToolCatalog } from "../servers/tool-catalog.ts";
import { chainEndOf } from "./chain-end.ts";
import type { CompiledRails } from "./compile-rails.ts";
import { decideNext } from "./decide-next.ts";
import type { NextTool, NextToolKey } from "./next-tool.ts";

/** Where a chain stands. Plain JSON, to be kept over a pause. */
export interface ChainProgress {
  readonly calls: number;
  /** The text of each call, or, where it was kept over a pause, a hash of that. */
  readonly seen: readonly string[];
}

export interface EndOfChain extends Pick<ChainResult, "ended" | "pending" | "error"> {
  readonly type: "end";
}

/** What follows from a result: a call, still to be made through the door, or the end of the chain. */
export type NextHop =
  | { readonly type: "call"; readonly call: PendingCall; readonly progress: ChainProgress }
  | EndOfChain;

export interface ChainRules {
  readonly nextToolKeys: readonly NextToolKey[];
  readonly maxChainDepth: number;
  readonly rails: CompiledRails;
  /** Told of a rail whose `when` cannot be read. */
  onUnread(rule: string, hop: Hop): void;
  catalog(): ToolCatalog;
  readonly traceparentOf?: DoorHooks["traceparentOf"] | undefined;
  /** Reads what a server has announced of its tools. */
  settle(server: string): Promise<void> | undefined;
}

/** Says what follows from a hop; `before` is where the chain stood before it, and `context` is for rails. */
export type DecideNext = (
  hop: Hop,
  before?: ChainProgress,
  options?: { readonly context?: unknown },
) => Promise<NextHop>;

/** Makes the rules a function that says what follows from a hop. */
export function createNextHop(rules: ChainRules): DecideNext {
  const { nextToolKeys, rails } = rules;
  return async (hop, before = { calls: 0, seen: [] }, { context } = {}) => {
    const onUnread = ({ name }: { readonly name: string }) => rules.onUnread(name, hop);
    const words = { nextToolKeys, rails: rails.calls, onUnread };
    const asked = decideNext(words, { hop, context });
    if (asked.type === "none") return { type: "end", ended: "complete" };
    const { rail } = asked;
    const source = `The result of ${toolId(toRef(hop))}`;
    if (asked.type === "malformed") {
      const message = rail
        ? `The rail "${quoted(rail.name)}" could not make its call. ${source}: ${quoted(asked.why)}.`
        : `${source}: ${quoted(asked.why)}.`;
      const code = rail ? "rail-failed" : "malformed-next-tool";
      return toEnd("malformed", {
        error: new ToolrailError(code, message, { cause: asked.cause }),
      });
    }
    const { next } = asked;
    await rules.settle(hop.server); // The change may have come in one breath with the result.
    const target = rail ? findNamed(rules, next) : findTarget(rules, { from: toRef(hop), next });
    if (ToolrailError.isInstance(target)) return toEnd(chainEndOf(target), { error: target });
    const progress = { calls: before.calls + 1, seen: [...before.seen, callText(hop)] };
    const aside = rail?.result === "first" && { result: rail.result };
    const depth = progress.calls;
    const after = toolId(toRef(hop));
    const cause = { by: "chain", causedBy: hop.callId, after, depth } as const;
    const origin = toTraced(cause, rules.traceparentOf?.(hop.callId));
    const { server, name: tool } = target;
    const pending: PendingCall = {
      server,
      tool,
      arguments: next.arguments,
      origin: { ...origin, ...(rail && { rule: rail.name }), ...aside },
    };
    const which = rail ? `The rail "${quoted(rail.name)}"` : toolId(toRef(hop));
    const asks = `${which} asks for ${toolId(target)}`;
    if (await isSeen(progress, callText(pending))) {
      const message = `${asks}, which this chain has already called with the same arguments.`;
      return toEnd("cycle", { error: new ToolrailError("chain-cycle", message), pending });
    }
    if (progress.calls >= rules.maxChainDepth) {
      const message = `${asks}, but a chain may make only ${rules.maxChainDepth} calls (limits.maxChainDepth).`;
      return toEnd("depth-limit", { error: new ToolrailError("chain-depth", message), pending });
    }
    return { type: "call", call: pending, progress };
  };
}

function toEnd(ended: ChainEnd, why: Pick<EndOfChain, "error" | "pending">): EndOfChain {
  return { type: "end", ended, ...why };
}

/** A tool of the same server; else the one tool of another that the operator's rails let it reach. */
function findTarget(
  { catalog, rails }: ChainRules,
  { from, next }: { readonly from: ToolRef; readonly next: NextTool },
): ToolRef | ToolrailError {
  const { has, tools } = catalog();
  const own = { server: from.server, name: next.tool };
  if (has(own)) return own;
  const [target, ...others] = tools.filter(
    (tool) => [tool.name, tool.id].includes(next.tool) && rails.mayReach(from, tool),
  );
  if (target && others.length === 0) return target;
  const message =
    `The result of ${toolId(from)} asks for "${quoted(next.tool)}", which its server does not list. ` +
    "To let a chain cross servers, add a rail with `reaches`.";
  return new ToolrailError("unknown-tool", message);
}

/** The tool that a rail names. */
function findNamed({ catalog }: ChainRules, { tool }: NextTool): ToolRef | ToolrailError {
  try {
    return catalog().find(tool);
  } catch (cause) {
    return toToolrailError(cause, "The tool of a rail cannot be found");
  }
}

/** Where a chain stands after these hops, whatever the rules are by now. */
export function progressAfter(hops: readonly Hop[]): ChainProgress {
  return { calls: hops.length, seen: hops.map(callText) };
}

/** The same with hashes alone: what is kept over a pause holds no arguments twice. */
export async function hashSeen({ calls, seen }: ChainProgress): Promise<ChainProgress> {
  const hashes = seen.map((one) => (isHash(one) ? one : sha256(one)));
  return { calls, seen: await Promise.all(hashes) };
}

async function isSeen({ seen }: ChainProgress, text: string): Promise<boolean> {
  return seen.includes(text) || (seen.some(isHash) && seen.includes(await sha256(text)));
}

/** The text of a call is a list as JSON. */
function isHash(seen: string): boolean {
  return !seen.startsWith("[");
}

/** Equal for calls of the same tool with the same arguments, in whatever order of keys. */
export function callText(call: Pick<PendingCall, "server" | "tool" | "arguments">): string {
  return canonicalJson([call.server, call.tool, call.arguments]);
}
