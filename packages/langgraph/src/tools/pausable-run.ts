import type { CallOptions, ChainResult, Decision, Hop, Host, Tool } from "@toolrail/core";
import { type CallListeners, notify, type PendingHop, toHopSummary } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/json";
import { type CallConfig, readToolCallId, type ToolEvent, toCallOptions } from "./call-config.ts";

export interface ToolCallParts {
  readonly host: Host;
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly config: CallConfig;
  readonly listeners: CallListeners;
}

/** The result of a run: a chain, or one call of a chain and the hop that follows as a turn of the graph. */
export interface RunOutcome {
  readonly chain: ChainResult;
  readonly next?: PendingHop;
}

interface Waited {
  readonly chain: ChainResult;
  readonly decision: Decision;
}

/** Runs a call from the start, or continues it after a pause for an approval or for input. */
export type PausableRun = (waited?: Waited) => Promise<RunOutcome>;

export function runWholeChain(call: ToolCallParts): PausableRun {
  const { host, tool, args, config, listeners } = call;
  const hasListener = config.writer !== undefined || listeners.onHop !== undefined;
  const onHop = hasListener ? (hop: Hop) => reportHop(call, hop) : undefined;
  const options: CallOptions = { ...toCallOptions(host, config, tool), onHop };
  return async (waited) => ({
    chain: await (waited
      ? host.resume(waited.chain, waited.decision, options)
      : host.run({ tool, arguments: args }, options)),
  });
}

/** Reports a finished call to the custom stream and the listener. */
export async function reportHop({ config, listeners }: ToolCallParts, hop: Hop): Promise<void> {
  const toolCallId = readToolCallId(config);
  if (config.writer) {
    const { callId } = hop;
    const event: ToolEvent = { type: "toolrail-hop", toolCallId, callId, ...toHopSummary(hop) };
    config.writer(event);
  }
  if (listeners.onHop) await notify(listeners.onHop, { toolCallId, hop });
}
