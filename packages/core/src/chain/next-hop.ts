import type { CallRequest } from "../call/call-options.ts";
import type { HostParts } from "../call/host-parts.ts";
import { type ToolRef, toolId } from "../call/tool.ts";
import { ToolrailError, type ToolrailErrorCode, toToolrailError } from "../errors.ts";
import { canonicalJson, sha256 } from "../json/json.ts";
import { plainLine, quoted } from "../json/plain-text.ts";
import {
  type ChainEnd,
  type ChainResult,
  type Hop,
  type PendingCall,
  toRef,
} from "../result/hop.ts";
import { nearestTool } from "../servers/tool-catalog.ts";
import { type AskedNext, findAskedCall, type NextTool } from "./next-tool.ts";

/** The result of deciding what follows: a call still to be made, or the end of the chain. */
export type NextHop =
  | { readonly type: "call"; readonly call: PendingCall; readonly seen: readonly string[] }
  | DecidedEnd;

/** The parts of a host that decide what follows from a result. */
export type ChainRules = Pick<HostParts, "hooks" | "limits" | "servers">;

interface DecideOptions {
  /** The earlier calls of the chain, each by its text, or by a hash of it if it was stored. */
  readonly before?: readonly string[];
  readonly context?: unknown;
}

/** Decides what follows from a hop. */
export async function decideNextHop(
  rules: ChainRules,
  hop: Hop,
  { before = [], context }: DecideOptions,
): Promise<NextHop> {
  const { hooks, limits, servers } = rules;
  const invalid = endAtOutput(hop);
  if (invalid) return invalid;
  let pending: PendingCall | undefined;
  try {
    const { tools } = servers.catalog();
    const { nextTool: keys } = servers.facts(hop.server);
    const asked = await findAskedCall(hooks, { hop, context, tools, keys });
    if (!asked) return endChain();
    await servers.settle(hop.server); // The change may have arrived together with the result.
    const seen = [...before, callText(hop)];
    pending = buildCall(rules, { ...asked, hop, depth: seen.length });
    checkNext(pending, { asked, hop, seen, maxChainDepth: limits.maxChainDepth });
    return { type: "call", call: pending, seen };
  } catch (cause) {
    const error = toToolrailError(cause, "The next call of the chain could not be determined");
    return endChain(error, pending);
  }
}

/** Builds the call that is asked for. Throws if there is no such tool, or if it is out of reach. */
function buildCall(
  { servers }: ChainRules,
  { hop, depth, ...next }: AskedNext & { readonly hop: Hop; readonly depth: number },
): PendingCall {
  const from = toRef(hop);
  const { rule, forUserAlone } = next;
  const { server, name: tool } = rule
    ? servers.catalog().find(next.tool)
    : findTarget(servers.catalog(), { from, next });
  const { callId: causedBy } = hop;
  const cause = { by: "chain", causedBy, after: toolId(from), depth } as const;
  const readers = forUserAlone && ({ forUserAlone } as const);
  const origin = { ...cause, ...(rule && { rule }), ...readers };
  return { server, tool, arguments: next.arguments, origin };
}

/** Finds the tool that a server names: one of its own. */
function findTarget(
  catalog: ReturnType<ChainRules["servers"]["catalog"]>,
  { from, next }: { readonly from: ToolRef; readonly next: Pick<NextTool, "tool"> },
): ToolRef {
  const sibling = { server: from.server, name: next.tool };
  if (catalog.has(sibling)) return sibling;
  const own = catalog.tools.filter(({ server }) => server === from.server);
  const near = nearestTool(next.tool, own);
  const hint =
    near === undefined
      ? "To let a chain cross servers, add a rule with `reaches`: see `rules` of @toolrail/core/rules."
      : `Did you mean "${plainLine(near.slice(from.server.length + 1))}"?`;
  const message = `The result of ${toolId(from)} asks for "${quoted(next.tool)}", which its server does not list. ${hint}`;
  throw new ToolrailError("unknown-tool", message);
}

interface NextSituation {
  readonly maxChainDepth: number;
  readonly asked: AskedNext;
  readonly hop: Hop;
  readonly seen: readonly string[];
}

/** Throws `chain-cycle` if the chain has made the same call, and `chain-depth` if it may make no more. */
function checkNext(call: PendingCall, { asked, hop, seen, maxChainDepth }: NextSituation): void {
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

/** Builds a text that is equal for calls of the same tool with the same arguments, in any order of keys. */
export function callText(call: Pick<PendingCall, "server" | "tool" | "arguments">): string {
  return canonicalJson([call.server, call.tool, call.arguments]);
}

export function toRequest(call: PendingCall): CallRequest {
  return { tool: toRef(call), arguments: call.arguments };
}

/** The part that the key of a hop adds to the key of the call before it. */
export const HOP_KEY = "#";

/** The end of a chain, or the end that it would have after a result. */
export interface DecidedEnd extends Pick<ChainResult, "ended" | "pending"> {
  readonly type: "end";
  readonly error?: ToolrailError;
}

/** A chain that has ended, with the number of its calls. */
export type ChainSummary = Pick<ChainResult, "runId" | "ended" | "error"> & {
  readonly hops: number;
};

const ENDS: { readonly [Code in ToolrailErrorCode]?: ChainEnd } = {
  "chain-depth": "depth-limit",
  "chain-cycle": "cycle",
  "malformed-next-tool": "malformed",
  "unknown-tool": "unknown-tool",
  "invalid-arguments": "invalid-arguments",
  denied: "denied",
  "not-allowed": "denied",
  "quarantined-tool": "denied",
  "unknown-hop": "denied",
  "tool-changed": "denied",
  "needs-approval": "needs-approval",
  "invalid-output": "invalid-output",
  aborted: "aborted",
};

/** True if a chain waits for a person: see `host.resume`. */
export function isWaiting({ ended }: { readonly ended?: ChainEnd }): boolean {
  return ended === "needs-approval";
}

/** Returns how a chain ends if its next call ends in this error. */
export function endByError(error: ToolrailError): ChainEnd {
  return ENDS[error.code] ?? "failed";
}

/** Builds the end of a chain before this call: complete, or with this error. */
export function endChain(error?: ToolrailError, pending?: PendingCall): DecidedEnd {
  if (!error) return { type: "end", ended: "complete" };
  const left = pending && { pending: toPending(pending, error) };
  return { type: "end", ended: endByError(error), error, ...left };
}

/** Ends a chain at a result whose output may not be used. Returns `undefined` if it may. */
export function endAtOutput({ output }: Hop): DecidedEnd | undefined {
  if (output.status !== "invalid") return undefined;
  return endChain(new ToolrailError("invalid-output", `${output.message}.`));
}

/** Adds the question to a call that a person has to approve. */
export function toPending(call: PendingCall, error: ToolrailError): PendingCall {
  const { binding: _, reason: __, problem: ___, ...rest } = call;
  return ToolrailError.isInstance(error, "needs-approval") ? { ...rest, ...error.data } : rest;
}
