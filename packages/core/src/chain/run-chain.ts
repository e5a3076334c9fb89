import type { CallOptions, CallRequest } from "../call/call-request.ts";
import { type HostTool, type ToolName, toolId } from "../call/tool.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import type { ChainResult, PendingCall } from "../result/chain-result.ts";
import { type CallOrigin, type Hop, toRef, toTraced } from "../result/hop.ts";
import { type EndOfChain, endOfChain } from "./chain-end.ts";
import { type DecideParts, HOP, toRequest } from "./decide-hop.ts";
import { callText } from "./next-hop.ts";

/** What a run needs of its host. */
export interface ChainParts extends Pick<DecideParts, "nextHop" | "now" | "onEnd"> {
  call(request: CallRequest, options: CallOptions): Promise<Hop>;
  find(tool: ToolName): HostTool;
  readonly traceparentOf: DoorHooks["traceparentOf"];
  onStart(chain: { readonly runId: string; readonly origin: CallOrigin }): void;
  readonly runTimeoutMs: number;
}

interface ChainStart extends Pick<ChainResult, "runId"> {
  readonly request: CallRequest;
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
  const { origin = { by: "application" } } = options;
  const { allowHop, timeoutMs: most = Number.POSITIVE_INFINITY } = options;
  const endMs = parts.now() + parts.runTimeoutMs;
  let seen: readonly string[] = before.map(callText);
  let step: CallRequest = request;
  let stepOptions: CallOptions = options;
  let pending: PendingCall | undefined;
  const finish = ({ type: _, ...end }: EndOfChain) => {
    parts.onEnd({ runId, ...end, hops: hops.length });
    return { runId, hops, ...end };
  };
  parts.onStart({ runId, origin });
  for (;;) {
    let hop: Hop;
    try {
      const timeoutMs = Math.min(most, endMs - parts.now());
      const place = options.place && options.place + HOP.repeat(hops.length);
      hop = await parts.call(step, { ...stepOptions, runId, timeoutMs, place });
    } catch (cause) {
      const error = toToolrailError(cause, "The chain stopped early");
      const traced = toTraced(origin, parts.traceparentOf?.(runId));
      return finish(endOfChain(error, pending ?? pendingOf(parts, { ...request, origin: traced })));
    }
    hops.push(hop);
    yield hop;
    if (options.follow === false) return finish(endOfChain());
    const next = await parts.nextHop(hop, seen, options);
    if (next.type === "end") return finish(next);
    seen = next.seen;
    pending = next.call;
    if (allowHop && !allowHop()) {
      const message = `${toolId(toRef(pending))} was not called: the run has no calls left.`;
      return finish(endOfChain(new ToolrailError("chain-depth", message), pending));
    }
    step = toRequest(pending);
    const { signal, scope, userText, context, onProgress } = options;
    const who = { scope, userText, context };
    stepOptions = { origin: pending.origin, signal, ...who, ...(onProgress && { onProgress }) };
  }
}

/** The first call of a chain as one that was not made, or `undefined` where it means no tool. */
function pendingOf(
  parts: ChainParts,
  request: CallRequest & { readonly origin: CallOrigin },
): PendingCall | undefined {
  const { arguments: args = {}, origin } = request;
  try {
    const { server, name } = parts.find(request.tool);
    return { server, tool: name, arguments: args, origin };
  } catch {
    return undefined; // The door has said why.
  }
}
