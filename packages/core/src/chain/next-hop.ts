import { type ToolRef, toolId } from "../call/tool.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import { ToolrailError } from "../errors.ts";
import { sha256 } from "../hash.ts";
import { canonicalJson } from "../json.ts";
import { quoted } from "../plain-text.ts";
import type { ChainEnd, ChainResult, PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef, toTraced } from "../result/hop.ts";
import type { ToolCatalog } from "../servers/tool-catalog.ts";
import { readNextTool } from "./next-tool.ts";

/** Where a chain stands: how many calls it has made, and a hash of each. Plain JSON, to be kept over a pause. */
export interface ChainProgress {
  readonly calls: number;
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
  readonly nextToolKeys: readonly string[];
  readonly maxChainDepth: number;
  readonly crossServer: readonly {
    readonly from: (tool: ToolRef) => boolean;
    readonly to: (tool: ToolRef) => boolean;
  }[];
  catalog(): ToolCatalog;
  readonly traceparentOf?: DoorHooks["traceparentOf"] | undefined;
  /** Reads what a server has announced of its tools. */
  settle(server: string): Promise<void> | undefined;
}

/** Makes the rules a function that says what follows from a hop; `before` is where the chain stood before it. */
export function createNextHop(
  rules: ChainRules,
): (hop: Hop, before?: ChainProgress) => Promise<NextHop> {
  return async (hop, before = { calls: 0, seen: [] }) => {
    const source = toolId(toRef(hop));
    const next = readNextTool(hop.result, rules.nextToolKeys);
    if (next === undefined) return { type: "end", ended: "complete" };
    if (typeof next === "string") {
      const message = `The result of ${source}: ${quoted(next)}.`;
      return toEnd("malformed", { error: new ToolrailError("malformed-next-tool", message) });
    }
    await rules.settle(hop.server); // The change may have come in one breath with the result.
    const target = findTarget(rules, { from: toRef(hop), name: next.tool });
    if (!target) {
      const message =
        `The result of ${source} asks for "${quoted(next.tool)}", which its server does not list. ` +
        "To let a chain cross servers, add a rule to `crossServerChains`.";
      return toEnd("unknown-tool", { error: new ToolrailError("unknown-tool", message) });
    }
    const own = await progressAfter([hop]);
    const progress = { calls: before.calls + 1, seen: [...before.seen, ...own.seen] };
    const cause = { by: "chain", causedBy: hop.callId, depth: progress.calls } as const;
    const origin = toTraced(cause, rules.traceparentOf?.(hop.callId));
    const { server, name: tool } = target;
    const pending: PendingCall = { server, tool, arguments: next.arguments, origin };
    const asked = `${source} asks for ${toolId(target)}`;
    if (progress.seen.includes(await sha256(callText(pending)))) {
      const message = `${asked}, which this chain has already called with the same arguments.`;
      return toEnd("cycle", { error: new ToolrailError("chain-cycle", message), pending });
    }
    if (progress.calls >= rules.maxChainDepth) {
      const message = `${asked}, but a chain may make ${rules.maxChainDepth} calls (limits.maxChainDepth).`;
      return toEnd("depth-limit", { error: new ToolrailError("chain-depth", message), pending });
    }
    return { type: "call", call: pending, progress };
  };
}

function toEnd(ended: ChainEnd, why: Pick<EndOfChain, "error" | "pending">): EndOfChain {
  return { type: "end", ended, ...why };
}

/** A tool of the same server; else the one tool of another that the operator's rules let it reach. */
function findTarget(
  { catalog, crossServer }: ChainRules,
  { from, name }: { readonly from: ToolRef; readonly name: string },
): ToolRef | undefined {
  const { has, tools } = catalog();
  const own = { server: from.server, name };
  if (has(own)) return own;
  const open = crossServer.filter((rule) => rule.from(from));
  const reachable = tools.filter(
    (tool) => (tool.name === name || tool.id === name) && open.some((rule) => rule.to(tool)),
  );
  return reachable.length === 1 ? reachable[0] : undefined;
}

/** Where a chain stands after these hops, whatever the rules are by now. */
export async function progressAfter(hops: readonly Hop[]): Promise<ChainProgress> {
  const seen = await Promise.all(hops.map((hop) => sha256(callText(hop))));
  return { calls: hops.length, seen };
}

/** Equal for calls of the same tool with the same arguments, in whatever order of keys. */
export function callText(call: Pick<PendingCall, "server" | "tool" | "arguments">): string {
  return canonicalJson([call.server, call.tool, call.arguments]);
}
