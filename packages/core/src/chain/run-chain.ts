import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/call-request.ts";
import type { Hop } from "../result/hop.ts";
import { chainEndOf } from "./chain-end.ts";
import type { ChainResult, PendingCall } from "./chain-result.ts";
import { type ChainProgress, type NextHop, progressAfter } from "./next-hop.ts";

/** What a run needs of its host. */
export interface ChainParts {
  call(request: CallRequest, options: CallOptions): Promise<Hop>;
  next(hop: Hop, before?: ChainProgress): NextHop;
  /** The call that a request means, or `undefined` where it means no tool. */
  toPending(request: CallRequest, options: CallOptions): PendingCall | undefined;
  readonly runTimeoutMs: number;
  now(): number;
  onEnd(result: ChainResult): void;
}

export interface ChainStart {
  readonly request: CallRequest;
  readonly runId: string;
  /** What an earlier run of the same chain has done. */
  readonly before?: readonly Hop[];
}

/** Makes a call and every call that follows from it, and yields each hop when it is there. */
export async function* runChain(
  parts: ChainParts,
  { request, runId, before = [] }: ChainStart,
  options: CallOptions,
): AsyncGenerator<Hop, ChainResult, undefined> {
  const hops = [...before];
  const endMs = parts.now() + parts.runTimeoutMs;
  let progress: ChainProgress | undefined = before.length > 0 ? progressAfter(before) : undefined;
  let step: CallRequest = request;
  let stepOptions: CallOptions = options;
  let pending = parts.toPending(request, options);
  const finish = (end: Omit<ChainResult, "runId" | "hops">): ChainResult => {
    const result = { runId, hops, ...end };
    parts.onEnd(result);
    return result;
  };
  for (;;) {
    let hop: Hop;
    try {
      const timeoutMs = Math.min(
        options.timeoutMs ?? Number.POSITIVE_INFINITY,
        endMs - parts.now(),
      );
      hop = await parts.call(step, { ...stepOptions, runId, timeoutMs });
    } catch (cause) {
      const error = asToolrailError(cause);
      return finish({ ended: chainEndOf(error.code), error, ...(pending && { pending }) });
    }
    hops.push(hop);
    yield hop;
    const next = parts.next(hop, progress);
    if (next.type === "end") {
      const { type: _, ...end } = next;
      return finish(end);
    }
    progress = next.progress;
    pending = next.call;
    if (options.allowHop && !options.allowHop()) {
      const message = `${pending.server}.${pending.tool} would be one call too many for this run.`;
      const error = new ToolrailError("chain-depth", message);
      return finish({ ended: "depth-limit", error, pending });
    }
    const { server, tool: name, arguments: args, origin } = next.call;
    step = { tool: { server, name }, arguments: args };
    const { signal, onProgress } = options;
    stepOptions = { origin, signal, ...(onProgress && { onProgress }) };
  }
}

function asToolrailError(cause: unknown): ToolrailError {
  if (ToolrailError.isInstance(cause)) return cause;
  return new ToolrailError("callback-failed", `The chain was broken off: ${cause}`, { cause });
}
