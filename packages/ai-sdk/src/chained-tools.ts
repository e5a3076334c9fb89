import {
  type CallPlace,
  type Hop,
  type Host,
  type HostTool,
  isHopId,
  type JsonObject,
  type ModelViewOptions,
  type PlannedHop,
  ToolrailError,
} from "@toolrail/core";
import { isApproved } from "./approval.ts";
import { markOutput } from "./marks.ts";
import { type FileForm, toModelOutput } from "./model-output.ts";
import type { SdkTool, ToolCallOptions } from "./sdk-types.ts";
import { notify, toToolBase } from "./tool-base.ts";
import { type ToolOutput, toHopOutput } from "./tool-output.ts";

/** A tool that makes one call; what follows from it is the next step's business. */
export type ChainedTool = SdkTool<ToolOutput, Promise<ToolOutput>>;

/** A call that was made, by the model or as a hop. */
export interface HopResult {
  readonly toolCallId: string;
  /** With the raw result: for `userView`, and for widgets in its `_meta`. */
  readonly hop: Hop;
}

export interface ChainedToolParts {
  readonly host: Host;
  /** Model names by tool id: what a hop may mean in this run. */
  readonly names: ReadonlyMap<string, string>;
  readonly options: ModelViewOptions & {
    readonly onHop?: (result: HopResult) => void | PromiseLike<void>;
  };
  files: FileForm;
}

export function createChainedTool(parts: ChainedToolParts, tool: HostTool): ChainedTool {
  return {
    ...toToolBase(parts.host, tool),
    needsApproval: (input, { toolCallId }) => needsApproval(parts, tool, input, toolCallId),
    execute: (input, options) => makeCall(parts, tool, input as JsonObject, options),
    toModelOutput: ({ output }) => markOutput(toModelOutput(output, parts.files), output),
  };
}

async function needsApproval(
  { host }: ChainedToolParts,
  tool: HostTool,
  input: unknown,
  toolCallId: string,
): Promise<boolean> {
  const ticket = isHopId(toolCallId) ? await host.ledger.find(toolCallId) : undefined;
  const origin = ticket?.call.origin ?? ({ by: "model", toolCallId } as const);
  const verdict = await host.check({ tool, arguments: input as JsonObject }, { origin });
  return verdict.type === "ask";
}

async function makeCall(
  parts: ChainedToolParts,
  tool: HostTool,
  input: JsonObject,
  callOptions: ToolCallOptions,
): Promise<ToolOutput> {
  const { host, options } = parts;
  const { toolCallId, abortSignal: signal, messages } = callOptions;
  if ("context" in callOptions) parts.files = "tagged";
  let place: CallPlace = { root: toolCallId };
  let outcome: Hop | ToolrailError;
  try {
    if (isHopId(toolCallId)) {
      const { server, name } = tool;
      place = { ticket: await host.ledger.take(toolCallId, { server, name, arguments: input }) };
    }
    const approved = isApproved(messages, { toolCallId, toolName: tool.modelName, input });
    outcome = await host.call({ tool, arguments: input }, { ...toCaller(place), signal, approved });
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    if (cause.code === "aborted" && signal?.aborted) throw signal.reason;
    outcome = cause;
  }
  const next = await planNext(parts, outcome, place);
  if (!ToolrailError.isInstance(outcome)) await notify(options.onHop, { toolCallId, hop: outcome });
  return toHopOutput(outcome, next, options);
}

function toCaller(place: CallPlace) {
  if ("root" in place) return { origin: { by: "model", toolCallId: place.root } as const };
  const { runId, call } = place.ticket;
  return { runId, origin: call.origin };
}

/** A tool that was listed only after the run began has no place in it, so the chain ends before it. */
async function planNext(
  { host, names }: ChainedToolParts,
  outcome: Hop | ToolrailError,
  place: CallPlace,
): Promise<PlannedHop> {
  const next = await host.ledger.plan(outcome, place);
  if (next.type === "end") return next;
  const { server, tool } = next.ticket.call;
  const id = `${server}.${tool}`;
  if (names.has(id)) return next;
  const message = `${id} was listed after withChaining was called; call it again for each run.`;
  return host.ledger.plan(new ToolrailError("unknown-tool", message), next);
}
