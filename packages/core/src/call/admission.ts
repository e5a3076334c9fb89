import { quoted } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Admission, CallOptions, CallRequest } from "../types/call-options.ts";
import type { Stage } from "../types/events.ts";
import { toolText } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { checkApproval, toBinding } from "./approval.ts";
import { exactSources, targetsOf } from "./argument-source.ts";
import { approvedBefore } from "./ask-user.ts";
import { throwIfAborted, toDoorError } from "./call-error.ts";
import { slotAt } from "./call-once.ts";
import type { DoorParts } from "./door-parts.ts";
import { RESOURCES } from "./offered-links.ts";
import { askIfDestructive, askPolicies } from "./policies.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments, parseArguments, parserOf } from "./value-checks.ts";

type Asked = Extract<Admission, { type: "ask" }>;

/** A call with its options and ids, and a listener that is told when it enters a stage of the door. */
export interface Walk {
  readonly options: CallOptions;
  readonly callId: string;
  readonly runId: string;
  enter(stage: Stage, call: Pick<ToolCall, "tool" | "sources">): void;
}

/** Walks through the stages before the call, and sends nothing. Rejects with the code of the stage that refused. */
export async function admit(
  parts: DoorParts,
  request: CallRequest,
  walk: Walk,
): Promise<Exclude<Admission, { type: "refuse" }>> {
  const { options, callId, runId } = walk;
  const { origin = { by: "application" }, signal, scope, context, place } = options;
  const { approved, lostAttempts } = options.answers
    ? await approvedBefore(parts, options)
    : options;
  throwIfAborted(signal, toolText(request.tool));
  const known = parts.find(request.tool);
  const news = approved === undefined ? parts.settle(known.server) : parts.refresh(known.server);
  if (news !== undefined) await untilAborted(news, signal);
  const tool = news === undefined ? known : parts.find(known);
  walk.enter("allow", { tool });
  const isModels = origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
  if (isModels && !tool.forModel) {
    const message = `Tool ${tool.id} can be called by the application only, not by a model (see its _meta.ui.visibility).`;
    throw new ToolrailError("not-allowed", message);
  }
  walk.enter("arguments", { tool });
  const written = { tool, arguments: request.arguments ?? {} };
  // What other origins sent was written by servers, or has been read before.
  const resolve = origin.by === "model" ? parts.resolve : undefined;
  const put = resolve && (await resolve({ ...written, scope }));
  const asked = { tool, arguments: put?.arguments ?? written.arguments };
  const approval =
    approved === undefined
      ? undefined
      : await checkApproval(parts, { ...asked, scope, context }, { approved, lostAttempts });
  const args = checkArguments(parts, asked);
  const parser = parserOf(parts.inputParsers, tool);
  if (parser) await parseArguments(parser, { tool, arguments: args });
  const isOwn = origin.by === "application" || (origin.by === "pipe" && !isModels);
  if (tool.name === RESOURCES && args.uri !== undefined && !isOwn) {
    const uri = String(args.uri);
    if (!parts.links?.has({ tool, scope }, uri)) throw new ToolrailError("not-allowed", NO_LINK);
  }
  const { userText = [], gate } = options;
  const exact = exactSources({ origin, ...put }, options.sources);
  const isTracked = parts.sources !== undefined && scope !== undefined;
  const targets = isTracked ? targetsOf(parts.policies, tool) : undefined;
  const found = isTracked
    ? await parts.sources.find({ scope, tool, arguments: args, userText, exact, targets })
    : { sources: exact };
  const who = { callId, runId, tool, origin, signal, scope, context };
  const call: ToolCall = { ...who, ...put, arguments: args, ...found };
  walk.enter("authorize", call);
  const verdict = gate ? await gate(call) : "allow";
  if (ToolrailError.isInstance(verdict)) throw verdict;
  const word = parts.policies ? await askPolicies(parts.policies, call) : askIfDestructive(call);
  throwIfAborted(signal, tool.id);
  const unsettled = origin.by === "application" ? undefined : parts.whyAsk(tool);
  const asks = verdict === "ask" || word !== "allow" || unsettled !== undefined;
  if (!asks || approval) return { type: "allow", call, ...(approval && { approval }) };
  const why = typeof word === "object" ? word.ask : unsettled;
  const reason = why !== undefined && { reason: quoted(why) };
  const slot = await slotAt(place, call);
  return { type: "ask", call, binding: await toBinding(parts, call, { slot }), ...reason };
}

const NO_LINK =
  "The resource was not read: no result of this conversation links to it. Call the tool without `uri` to list the resources.";

/** As `admit`, with a refusal as a value. */
export async function checkAtDoor(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Admission> {
  const waking = parts.wake(request.tool, options.signal);
  if (waking !== undefined) await waking;
  const callId = parts.newId();
  const { runId = callId, signal } = options;
  let stage: Stage = "resolve";
  const enter = (next: Stage) => {
    stage = next;
  };
  try {
    return await admit(parts, request, { options, callId, runId, enter });
  } catch (cause) {
    const error = toDoorError(cause, { name: toolText(request.tool), signal });
    return { type: "refuse", error, stage };
  }
}

/** The error of a call that a person must approve before it is made. */
export function needsApproval({ call, binding, reason }: Asked): ToolrailError {
  const { references } = call;
  const why = reason === undefined ? "." : `: ${reason}.`;
  const message = `${call.tool.id} needs a person's approval before it is called${why}`;
  const more = { ...(reason !== undefined && { reason }), ...(references && { references }) };
  return new ToolrailError("needs-approval", message, { data: { binding, ...more } });
}
