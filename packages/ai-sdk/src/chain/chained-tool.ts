import {
  type CallOptions,
  type Hop,
  type Progress,
  type Tool,
  ToolrailError,
} from "@toolrail/core";
import {
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
import type { SdkTool } from "../sdk-types.ts";
import { describeApproval } from "../tools/approvals.ts";
import { runChain } from "../tools/create-tools.ts";
import { createSdkTools } from "../tools/sdk-tool.ts";
import { type ToolOutput, toOutput, toProgress } from "../tools/tool-output.ts";
import type { MadeCall } from "../tools/types.ts";
import type { ChainParts } from "./chaining-settings.ts";
import { readAskedHop } from "./pending-hops.ts";

type CallSite = Parameters<typeof decideHop>[2];

/** Creates tools that make one call each: the next step makes the hop. Hops reach tools that are not offered, too. */
export function createChainedTools(
  parts: ChainParts,
  tools: readonly Tool[],
): Record<string, SdkTool<ToolOutput>> {
  const { host, pendingHops } = parts;
  return createSdkTools(tools, {
    ...parts,
    checksArguments: true,
    async check({ toolCallId, request, options, run }) {
      const pending = isHopId(toolCallId) ? await pendingHops.find(toolCallId, run) : undefined;
      return host.check(request, { ...options, ...toOptions(pending) });
    },
    async run(call) {
      if (call.isOfStep || isHopId(call.toolCallId)) return makeCall(parts, call);
      // No later step would make the hops of a call by a program.
      refuseHidden(parts, call.request.tool);
      return runChain(parts, call);
    },
  });
}

async function makeCall(parts: ChainParts, call: MadeCall): Promise<ToolOutput> {
  const { host, onHop } = parts;
  const { toolCallId, request, options, isTyped, report } = call;
  let pending: PendingHop | undefined;
  let outcome: Hop | ToolrailError;
  let runId = engineOf(host).newId();
  let approved: string | undefined;
  try {
    if (isHopId(toolCallId)) pending = await takeHop(parts, call);
    else refuseHidden(parts, request.tool);
    runId = pending?.runId ?? runId;
    const asking = { ...options, ...toOptions(pending), runId };
    approved = await describeApproval(host, call, asking);
    const onProgress = (progress: Progress) => report(toProgress([], progress));
    outcome = await host.call(request, { ...asking, approved, onProgress });
  } catch (cause) {
    outcome = toToolrailError(cause, `The call of ${request.tool.id} failed`);
    throwAborted(outcome.code, options.signal);
  }
  const site = { ...(pending ?? { root: toolCallId }), approved, context: options.context };
  const next = await decideNext(parts, { outcome, site });
  const hop = ToolrailError.isInstance(outcome) ? undefined : outcome;
  if (hop) await notify({ onHop }, { toolCallId, hop }, engineOf(host));
  const hops = hop ? [hop] : [];
  const source = next.type === "call" ? (outcome as Hop) : { ...next, runId, hops };
  const output = await toOutput(source, { ...parts, withStructured: isTyped });
  return hop ? { ...output, callId: hop.callId } : output;
}

/**
 * Takes the hop that the SDK makes now. One that a person has approved comes from the messages, which have waited: the store of the
 * host need not know it any more.
 */
async function takeHop(parts: ChainParts, call: MadeCall): Promise<PendingHop> {
  const { host, pendingHops } = parts;
  const { toolCallId: id, request, approval, run } = call;
  const { tool, arguments: args } = request;
  if (!approval) return pendingHops.take(id, { ...tool, arguments: args, step: run });
  const { now, checkSeal } = engineOf(host);
  const asked = readAskedHop(run, id);
  const kept = await pendingHops.find(id, run);
  const pending = kept ?? asked?.pending;
  const defect = pendingHopProblem(pending, { ...tool, arguments: args, nowMs: now() });
  if (!pending || defect) throw defect;
  const { conversation } = call.options;
  await checkSeal({ tool, arguments: args, conversation }, asked?.seal);
  return pending;
}

/** Refuses a tool that the model itself may not call. The SDK also makes approved calls of such tools that are in the messages. */
function refuseHidden({ host, tools }: ChainParts, { id }: Tool): void {
  if (tools === undefined || offeredTools(host, tools).some((tool) => tool.id === id)) return;
  const message = `${id} was not called: it is not among the \`tools\` that models are offered.`;
  throw new ToolrailError("not-allowed", message);
}

function toOptions(pending: PendingHop | undefined): CallOptions {
  if (!pending) return {};
  const { runId, key, call } = pending;
  return { runId, origin: call.origin, key };
}

async function decideNext(
  { host, pendingHops }: ChainParts,
  { outcome, site }: { readonly outcome: Hop | ToolrailError; readonly site: CallSite },
): ReturnType<typeof decideHop> {
  const next = await decideHop(host, outcome, site);
  if (next.type === "end") return next;
  try {
    await pendingHops.keep(next.pending);
    return next;
  } catch (cause) {
    const { server, tool: name } = next.pending.call;
    const id = toolId({ server, name });
    const error = toToolrailError(cause, `The call of ${id} could not wait`);
    return decideHop(host, error, next.pending);
  }
}
