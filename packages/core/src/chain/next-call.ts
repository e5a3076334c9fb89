import type { Hooks } from "../call/hooks.ts";
import { ToolrailError } from "../errors.ts";
import { sha256 } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef } from "../result/hop.ts";
import type { ToolCatalog } from "../servers/tool-catalog.ts";
import { type ToolRef, toolId } from "../types/tool.ts";
import { callText } from "./call-text.ts";
import type { AskedNext } from "./decide-next.ts";
import type { NextTool, NextToolKey } from "./next-tool.ts";

/** The parts of a host that decide what follows from a result. */
export interface ChainRules {
  readonly hooks: Hooks;
  /** The keys at which results name the next tool, by server. A server without an entry has the default keys. */
  readonly nextToolKeys: ReadonlyMap<string, readonly NextToolKey[]>;
  readonly maxChainDepth: number;
  catalog(): ToolCatalog;
  /** Reads a server's announced change of its tools. */
  settle(server: string): Promise<void>;
}

/** Builds the call that is asked for. Throws if there is no such tool, or if it is out of reach. */
export function buildCall(
  rules: ChainRules,
  { hop, depth, ...next }: AskedNext & { readonly hop: Hop; readonly depth: number },
): PendingCall {
  const from = toRef(hop);
  const { rule, forUserAlone } = next;
  const { server, name: tool } = rule
    ? rules.catalog().find(next.tool)
    : findTarget(rules, { from, next });
  const { callId: causedBy } = hop;
  const cause = { by: "chain", causedBy, after: toolId(from), depth } as const;
  const readers = forUserAlone && ({ forUserAlone } as const);
  const origin = { ...cause, ...(rule && { rule }), ...readers };
  return { server, tool, arguments: next.arguments, origin };
}

/** Finds the tool that a server names: one of its own. */
function findTarget(
  { catalog }: ChainRules,
  { from, next }: { readonly from: ToolRef; readonly next: Pick<NextTool, "tool"> },
): ToolRef {
  const sibling = { server: from.server, name: next.tool };
  if (catalog().has(sibling)) return sibling;
  const message =
    `The result of ${toolId(from)} asks for "${quoted(next.tool)}", which its server does not list. ` +
    "To let a chain cross servers, add a rule with `reaches`: see `rules` of @toolrail/core/rules.";
  throw new ToolrailError("unknown-tool", message);
}

interface NextSituation extends Pick<ChainRules, "maxChainDepth"> {
  readonly asked: AskedNext;
  readonly hop: Hop;
  readonly seen: readonly string[];
}

/** Throws `chain-cycle` if the chain has made the same call, and `chain-depth` if it may make no more. */
export function checkNext(
  call: PendingCall,
  { asked, hop, seen, maxChainDepth }: NextSituation,
): void {
  const which = asked.rule ? `The rule "${quoted(asked.rule)}"` : toolId(toRef(hop));
  const asks = `${which} asks for ${toolId(toRef(call))}`;
  if (isSeen(seen, callText(call))) {
    const message = `${asks}, which this chain has already called with the same arguments.`;
    throw new ToolrailError("chain-cycle", message);
  }
  if (seen.length >= maxChainDepth) {
    const message = `${asks}, but that would be call ${seen.length + 1} of the chain, and limits.maxChainDepth is ${maxChainDepth}.`;
    throw new ToolrailError("chain-depth", message);
  }
}

function isSeen(seen: readonly string[], text: string): boolean {
  // A hash, and not the text of a call, which is a list as JSON.
  const hasHash = seen.some((one) => !one.startsWith("["));
  return seen.includes(text) || (hasHash && seen.includes(sha256(text)));
}
