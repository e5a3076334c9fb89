import { toolId } from "../call/tool.ts";
import { invalidOptions, ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import { plainLine } from "../json/plain-text.ts";
import {
  type ChainEnd,
  type ChainResult,
  type Hop,
  isLeftOut,
  type PendingCall,
  toRef,
} from "../result/hop.ts";

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
export function endAtOutput(hop: Hop): DecidedEnd | undefined {
  if (!isLeftOut(hop)) return undefined;
  return endChain(new ToolrailError("invalid-output", `${hop.output.message}.`));
}

/** Adds the question to a call that a person has to approve. */
export function toPending(call: PendingCall, error: ToolrailError): PendingCall {
  const { binding: _, reason: __, problem: ___, ...rest } = call;
  return ToolrailError.isInstance(error, "needs-approval") ? { ...rest, ...error.data } : rest;
}

/**
 * Describes, besides the arguments, what a person is asked to approve: the tool, the reason, why their own arguments could not
 * be sent, and the results behind the addresses in its arguments. Each takes one line, so that no text of a server looks like another.
 */
export function approvalText(pending: PendingCall): string {
  const { reason, references = [], problem = [] } = pending;
  const id = toolId(toRef(pending));
  const why = reason === undefined ? "." : `: ${reason}.`;
  const request = `${id} needs a person's approval before it is called${why}`;
  const inserted = references.map(({ path, address, preview }) => {
    return `${path}: ${address} stands for: ${preview}`;
  });
  return [request, ...[problem].flat(), ...inserted].map(plainLine).join("\n");
}

/** An entry of a message history, in order. `Result` is the framework's own object for a tool result. */
export type HistoryEntry<Result> =
  /** Calls that are made together: the id of each hop, with the id of the model's call that began its chain. */
  | { readonly type: "hops"; readonly roots: Readonly<Record<string, string>> }
  | { readonly type: "result"; readonly id: string; readonly result: Result };

/** The calls and results that folding removes from a history, and the results that replace them. */
export interface FoldedChains<Result> {
  /** The result of the model's own call, by the id of a removed hop. */
  readonly roots: ReadonlyMap<string, Result>;
  /** The results of a chain in order, by the result of the model's own call. That result is the first. */
  readonly chains: ReadonlyMap<Result, readonly Result[]>;
}

/**
 * Folds each chain as if it had run inside its first call, since some providers refuse calls that their model did not make. Hops
 * that are made together are removed together. They stay if the result of one of their first calls is gone, such as after a
 * summary. Ids of models may repeat, so the latest result before the hop counts.
 */
export function foldChains<Result>(entries: Iterable<HistoryEntry<Result>>): FoldedChains<Result> {
  if (typeof entries === "string" || !(Symbol.iterator in Object(entries)))
    throw invalidOptions("foldChains takes a list of entries.");
  const latest = new Map<string, Result>();
  const roots = new Map<string, Result>();
  const chains = new Map<Result, Result[]>();
  for (const entry of entries) {
    if (entry.type === "result") {
      const root = roots.get(entry.id);
      if (root === undefined) latest.set(entry.id, entry.result);
      else chains.set(root, [...(chains.get(root) ?? [root]), entry.result]);
      continue;
    }
    const hops = Object.entries(entry.roots);
    if (!hops.every(([, root]) => latest.has(root))) continue;
    for (const [hop, root] of hops) roots.set(hop, latest.get(root) as Result);
  }
  return { roots, chains };
}
