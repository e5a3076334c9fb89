import { canonicalJson, quoted, sha256 } from "@toolrail/json";
import { type Hooks, traceparentOf } from "../call/hooks.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { type Hop, toRef, toTraced } from "../result/hop.ts";
import type { ToolCatalog } from "../servers/tool-catalog.ts";
import type { CallRequest } from "../types/call-options.ts";
import { type ToolRef, toolId } from "../types/tool.ts";
import { type EndOfChain, endAtOutput, endOfChain } from "./chain-end.ts";
import { type AskedNext, decideNext } from "./decide-next.ts";
import type { NextTool, NextToolKey } from "./next-tool.ts";

/** The result of deciding what follows: a call still to be made, or the end of the chain. */
export type NextHop =
  | { readonly type: "call"; readonly call: PendingCall; readonly seen: readonly string[] }
  | EndOfChain;

/** The parts of a host that decide what follows from a result. */
export interface ChainRules {
  readonly hooks: Hooks;
  /** The keys at which results name the next tool, by server. A server without an entry has the default keys. */
  readonly nextToolKeys: ReadonlyMap<string, readonly NextToolKey[]>;
  readonly maxChainDepth: number;
  catalog(): ToolCatalog;
  /** Reads a server's announced change of its tools. */
  settle(server: string): Promise<void> | undefined;
}

/** Decides what follows from a hop. `before` lists the earlier calls, each by its text, or by a hash of it if it was stored. */
export type DecideNext = (
  hop: Hop,
  before?: readonly string[],
  options?: { readonly context?: unknown },
) => Promise<NextHop>;

export function createNextHop(rules: ChainRules): DecideNext {
  const { hooks, nextToolKeys, maxChainDepth } = rules;
  return async (hop, before = [], { context } = {}) => {
    const end = endAtOutput(hop);
    if (end) return end;
    let pending: PendingCall | undefined;
    try {
      const asked = await decideNext(hooks, { hop, context, keys: nextToolKeys.get(hop.server) });
      if (!asked) return endOfChain();
      await rules.settle(hop.server); // The change may have arrived together with the result.
      const seen = [...before, callText(hop)];
      pending = toCall(rules, { ...asked, hop, depth: seen.length });
      const which = asked.rule ? `The rule "${quoted(asked.rule)}"` : toolId(toRef(hop));
      const asks = `${which} asks for ${toolId(toRef(pending))}`;
      if (await isSeen(seen, callText(pending))) {
        const message = `${asks}, which this chain has already called with the same arguments.`;
        throw new ToolrailError("chain-cycle", message);
      }
      if (seen.length >= maxChainDepth) {
        const message = `${asks}, but that would be call ${seen.length + 1} of the chain, and limits.maxChainDepth is ${maxChainDepth}.`;
        throw new ToolrailError("chain-depth", message);
      }
      return { type: "call", call: pending, seen };
    } catch (cause) {
      return endOfChain(
        toToolrailError(cause, "The next call of the chain could not be determined"),
        pending,
      );
    }
  };
}

/** Builds the call that is asked for. Throws if there is no such tool, or if it is out of reach. */
function toCall(
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
  const traced = toTraced(origin, traceparentOf(rules.hooks, causedBy));
  return { server, tool, arguments: next.arguments, origin: traced };
}

/** Finds a tool of the same server, or else the one tool of another server that a plugin lets it reach. */
function findTarget(
  { catalog, hooks }: ChainRules,
  { from, next }: { readonly from: ToolRef; readonly next: Pick<NextTool, "tool"> },
): ToolRef {
  const { has, tools } = catalog();
  const sibling = { server: from.server, name: next.tool };
  if (has(sibling)) return sibling;
  const [target, ...others] = tools.filter(
    (tool) =>
      [tool.name, tool.id].includes(next.tool) &&
      hooks.reaches?.some((reaches) => reaches(from, tool)),
  );
  if (target && others.length === 0) return target;
  const message =
    `The result of ${toolId(from)} asks for "${quoted(next.tool)}", which its server does not list. ` +
    "To let a chain cross servers, add a rule with `reaches`: see `rules` of @toolrail/plugins/rules.";
  throw new ToolrailError("unknown-tool", message);
}

async function isSeen(seen: readonly string[], text: string): Promise<boolean> {
  return seen.includes(text) || (seen.some(isHash) && seen.includes(await sha256(text)));
}

/** True if it is a hash and not the text of a call, which is a list as JSON. */
function isHash(seen: string): boolean {
  return !seen.startsWith("[");
}

/** Builds a text that is equal for calls of the same tool with the same arguments, in any order of keys. */
export function callText(call: Pick<PendingCall, "server" | "tool" | "arguments">): string {
  return canonicalJson([call.server, call.tool, call.arguments]);
}

export function toRequest(call: PendingCall): CallRequest {
  return { tool: toRef(call), arguments: call.arguments };
}

/** The part that the key of a hop adds to the key of the call before it. */
export const HOP = "#";
