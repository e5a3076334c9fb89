import { ToolrailError } from "../errors.ts";
import type { ToolRef } from "../host/tool.ts";
import type { ToolCatalog } from "../host/tool-catalog.ts";
import { canonicalJson } from "../json.ts";
import type { Hop } from "../result/hop.ts";
import type { ChainEnd, PendingCall } from "./chain-result.ts";
import { readNextTool } from "./next-tool.ts";

/** Where a chain stands: how many calls it has made, and which. Plain JSON, to be kept over a pause. */
export interface ChainProgress {
  readonly calls: number;
  readonly seen: readonly string[];
}

/** What follows from a result: a call, still to be made through the door, or the end of the chain. */
export type NextHop =
  | { readonly type: "call"; readonly call: PendingCall; readonly progress: ChainProgress }
  | {
      readonly type: "end";
      readonly ended: ChainEnd;
      readonly pending?: PendingCall;
      readonly error?: ToolrailError;
    };

export interface ChainRules {
  readonly nextToolKeys: readonly string[];
  readonly maxChainDepth: number;
  readonly crossServer: readonly {
    readonly from: (tool: ToolRef) => boolean;
    readonly to: (tool: ToolRef) => boolean;
  }[];
}

/**
 * Decides what follows from a hop. `before` is where the chain stood before that hop: leave it out for
 * the first call, and hand back `progress` for each later one.
 */
export function planNextHop(
  rules: ChainRules,
  catalog: ToolCatalog,
  hop: Hop,
  before: ChainProgress = { calls: 0, seen: [] },
): NextHop {
  const verdict = readNextTool(hop.result, rules.nextToolKeys);
  if (verdict.type === "none") return { type: "end", ended: "complete" };
  const source = `${hop.server}.${hop.tool}`;
  if (verdict.type === "malformed") {
    return end("malformed", "malformed-next-tool", `The result of ${source}: ${verdict.message}.`);
  }
  const target = findTarget(rules, catalog, hop, verdict.next.tool);
  if (!target) {
    const message =
      `The result of ${source} asks for "${verdict.next.tool}", which that server does not list. ` +
      "Allow a pair across servers with crossServerChains.";
    return end("unknown-tool", "unknown-tool", message);
  }
  const own = progressAfter([hop]);
  const progress = { calls: before.calls + 1, seen: [...before.seen, ...own.seen] };
  const call: PendingCall = {
    server: target.server,
    tool: target.name,
    arguments: verdict.next.arguments,
    origin: { by: "chain", causedBy: hop.callId, depth: progress.calls },
  };
  const asked = `${source} asks for ${target.server}.${target.name}`;
  if (progress.seen.includes(callKey(target, call.arguments))) {
    const message = `${asked}, which this chain has called already with the same arguments.`;
    return end("cycle", "chain-cycle", message, call);
  }
  if (progress.calls >= rules.maxChainDepth) {
    const message = `${asked}, but a chain may make ${rules.maxChainDepth} calls (limits.maxChainDepth).`;
    return end("depth-limit", "chain-depth", message, call);
  }
  return { type: "call", call, progress };
}

function end(
  ended: ChainEnd,
  code: ToolrailError["code"],
  message: string,
  pending?: PendingCall,
): NextHop {
  const error = new ToolrailError(code, message);
  return { type: "end", ended, error, ...(pending && { pending }) };
}

/** A tool of the same server; else the one tool of another that the operator's rules let it reach. */
function findTarget(
  rules: ChainRules,
  catalog: ToolCatalog,
  from: Hop,
  name: string,
): ToolRef | undefined {
  const own = { server: from.server, name };
  if (catalog.has(own)) return own;
  const source = { server: from.server, name: from.tool };
  const open = rules.crossServer.filter((rule) => rule.from(source));
  const reachable = catalog.tools.filter(
    (tool) => (tool.name === name || tool.id === name) && open.some((rule) => rule.to(tool)),
  );
  return reachable.length === 1 ? reachable[0] : undefined;
}

/** Where a chain stands after these hops, whatever the rules are by now. */
export function progressAfter(hops: readonly Hop[]): ChainProgress {
  const seen = hops.map((hop) => callKey({ server: hop.server, name: hop.tool }, hop.arguments));
  return { calls: hops.length, seen };
}

/** Equal for calls of the same tool with the same arguments, in whatever order of keys. */
export function callKey({ server, name }: ToolRef, args: unknown): string {
  return canonicalJson([server, name, args]);
}
