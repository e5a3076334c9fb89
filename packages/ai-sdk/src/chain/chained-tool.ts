import { type Hop, type Host, type Tool, ToolrailError } from "@toolrail/core";
import {
  type AdapterCallOptions,
  decideHop,
  engineOf,
  isHopId,
  notify,
  offeredTools,
  type PendingHop,
  pendingHopProblem,
  throwAborted,
  toolId,
  toToolrailError,
} from "@toolrail/core/adapter";
import type { SdkTool } from "../sdk.ts";
import { describeApproval } from "../tools/approvals.ts";
import type { ToolsOptions } from "../tools/create-tools.ts";
import { createSdkTools, type MadeCall } from "../tools/sdk-tool.ts";
import { type ToolOutput, toOutput } from "../tools/tool-output.ts";
import { type PendingHops, readAskedHop } from "./pending-hops.ts";

/** The options of `withChaining`. Hops also reach tools that `tools` does not offer to the model. */
export interface ChainingOptions extends Omit<ToolsOptions, "onResult"> {
  /** If true, the model reads each chain as one call, since some providers reject separate hops. Default: true. */
  readonly fold?: boolean;
  /** If true, a run whose results were all for the user ends without a last model call. Default: true. */
  readonly endWhenShown?: boolean;
}

/** The options of a chain, and what its tools share. */
export interface ChainParts extends ChainingOptions {
  readonly host: Host;
  readonly pendingHops: PendingHops;
}

type CallSite = Parameters<typeof decideHop>[2];

/** Creates tools that make one call each: the next step makes the hop. Hops reach tools that are not offered, too. */
export function createChainedTools(
  parts: ChainParts,
  tools: readonly Tool[],
): Record<string, SdkTool<ToolOutput>> {
  const { host, pendingHops } = parts;
  return createSdkTools(tools, {
    ...parts,
    async check({ toolCallId, request, options }) {
      const pending = isHopId(toolCallId) && (await pendingHops.findInStep(toolCallId));
      return host.check(request, { ...options, ...(pending && optionsOf(pending)) });
    },
    run: (call) => makeCall(parts, call),
  });
}

async function makeCall(parts: ChainParts, call: MadeCall): Promise<ToolOutput> {
  const { host, onHop } = parts;
  const { toolCallId, request, approval } = call;
  let options: AdapterCallOptions = { ...call.options, runId: engineOf(host).newId() };
  let site: CallSite = { root: toolCallId, context: options.context };
  let outcome: Hop | ToolrailError;
  try {
    if (isHopId(toolCallId)) {
      const pending = await takeHop(parts, call);
      options = { ...options, ...optionsOf(pending) };
      site = { ...site, ...pending };
    } else refuseHidden(parts, request.tool);
    const approved = approval && (await describeApproval(host, { request, options }, approval));
    site = { ...site, approved };
    outcome = await host.call(request, { ...options, approved });
  } catch (cause) {
    outcome = toToolrailError(cause, `The call of ${request.tool.id} failed`);
    throwAborted(outcome.code, options.signal);
  }
  const next = await decideNext(parts, outcome, site);
  const hop = ToolrailError.isInstance(outcome) ? undefined : outcome;
  if (hop && onHop) await notify({ onHop }, { toolCallId, hop }, engineOf(host));
  const { runId = "" } = options;
  const ended = next.type === "end" && { ...next, runId, hops: hop ? [hop] : [] };
  const output = await toOutput(ended || (outcome as Hop), parts);
  return hop ? { ...output, callId: hop.callId } : output;
}

/**
 * Takes the hop that the SDK makes now. One that a person has approved comes from the messages, which have waited: the store of the
 * host need not know it any more.
 */
async function takeHop({ host, pendingHops }: ChainParts, call: MadeCall): Promise<PendingHop> {
  const { toolCallId: id, messages, approval } = call;
  const { tool, arguments: args } = call.request;
  if (!approval) return pendingHops.take(id, { ...tool, arguments: args });
  const engine = engineOf(host);
  const asked = readAskedHop(messages, id);
  const pending = (await pendingHops.find(id)) ?? asked?.pending;
  const defect = pendingHopProblem(pending, { ...tool, arguments: args, nowMs: engine.now() });
  if (!pending || defect) throw defect;
  const { conversation } = call.options;
  await engine.checkSeal({ tool, arguments: args, conversation }, asked?.seal);
  return pending;
}

function optionsOf({ runId, key, call }: PendingHop): AdapterCallOptions {
  return { runId, key, origin: call.origin };
}

/** Decides what follows, and keeps a hop for the next step. The chain ends if the store cannot keep it. */
async function decideNext(
  { host, pendingHops }: ChainParts,
  outcome: Hop | ToolrailError,
  site: CallSite,
): ReturnType<typeof decideHop> {
  const next = await decideHop(host, outcome, site);
  if (next.type === "end") return next;
  try {
    await pendingHops.keep(next.pending);
    return next;
  } catch (cause) {
    const { server, tool: name } = next.pending.call;
    const error = toToolrailError(cause, `The call of ${toolId({ server, name })} could not wait`);
    return decideHop(host, error, next.pending);
  }
}

/** Refuses a tool that the model itself may not call. The SDK also makes approved calls of such tools that are in the messages. */
function refuseHidden({ host, tools }: ChainParts, { id }: Tool): void {
  if (tools === undefined || offeredTools(host, tools).some((tool) => tool.id === id)) return;
  const message = `${id} was not called: it is not among the \`tools\` that models are offered.`;
  throw new ToolrailError("not-allowed", message);
}
