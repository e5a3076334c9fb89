import type { ToolrailError } from "../errors.ts";
import { parseCallToolResult } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";
import { admit, needsApproval, spend, toDoorError, type Walk } from "./admission.ts";
import { toCallKey } from "./call-key.ts";
import { callOnce, type Send } from "./call-once.ts";
import type { CallOptions, CallRequest } from "./call-request.ts";
import type { DoorParts } from "./door-parts.ts";
import type { Stage } from "./events.ts";
import { notify } from "./notify.ts";
import { sendCall } from "./send-call.ts";
import { type HostTool, toolText } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments, checkOutput } from "./value-checks.ts";

/** The one way to a server: resolve, allow, check arguments, authorize, call, check result, record. */
export async function passDoor(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Hop> {
  const admitted = options.admission?.type === "allow" ? options.admission.call : undefined;
  const callId = admitted?.callId ?? parts.newId();
  const { origin = admitted?.origin ?? { by: "application" }, runId = admitted?.runId ?? callId } =
    options;
  const startMs = parts.now();
  let stage: Stage = "resolve" as Stage;
  let name = toolText(request.tool);
  const report = (outcome: "ok" | "refused" | "failed", extra?: object) => {
    const atMs = parts.now();
    const situation = { callId, runId, tool: name, origin, atMs, elapsedMs: atMs - startMs };
    parts.emit?.({ type: "call", stage, outcome, ...situation, ...extra });
  };
  const enter = (next: Stage, tool: HostTool) => {
    name = tool.id;
    if (parts.emit) report("ok");
    stage = next;
  };
  try {
    const call = await toCall(parts, request, { ...options, callId, runId, enter });
    const { tool } = call;
    enter("call", tool);
    const key = parts.claims && (await toCallKey(options.place, call));
    const send: Send = async (sent, onSend) => {
      const raw = await sendCall(parts, sent, { ...options, key, onSend });
      enter("result", tool);
      const result = parseCallToolResult(raw, { tool: name, limits: parts.limits });
      const durationMs = Math.round((parts.now() - startMs) * 100) / 100;
      return { callId, result, startedAtMs: startMs, durationMs };
    };
    const answer = key ? await callOnce(parts, call, { key, options, send }) : await send(call);
    const { result } = answer;
    const output = await checkOutput(parts, { tool, result });
    if (answer.callId === callId) {
      enter("record", tool);
      if (parts.emit) report("ok", { isError: result.isError === true });
    } else report("ok", { madeElsewhere: true });
    const { arguments: args, written } = call;
    const made = {
      server: tool.server,
      tool: tool.name,
      arguments: args,
      ...(written && { written }),
    };
    const hop: Hop = { runId, ...made, origin, output, ...answer };
    void notify(parts.hooks.onHop, hop);
    return hop;
  } catch (cause) {
    const error = toDoorError(cause, { name, signal: options.signal });
    const sent = stage === "call" || stage === "result";
    const outcome = sent || error.code === "aborted" ? "failed" : "refused";
    report(outcome, { code: error.code });
    throw error;
  }
}

/** The stages that an admission has been through. */
const WALKED: readonly Stage[] = ["allow", "arguments", "authorize"];

/** The call as it may be sent: by the admission that was given, or by walking through the stages now. */
async function toCall(parts: DoorParts, request: CallRequest, walk: Walk): Promise<ToolCall> {
  const { admission, signal, callId, runId } = walk;
  if (admission?.type === "refuse") {
    for (const stage of WALKED.slice(0, WALKED.indexOf(admission.stage ?? "resolve") + 1)) {
      walk.enter(stage, parts.find(request.tool));
    }
    throw admission.error;
  }
  if (admission) {
    const news = parts.settle(admission.call.tool.server);
    if (news !== undefined) await untilAborted(news, signal);
    const call = spend(parts, request, { admission, signal });
    for (const stage of WALKED) walk.enter(stage, call.tool);
    return { ...call, callId, runId };
  }
  const admitted = await admit(parts, request, walk);
  if (admitted.type === "ask") throw needsApproval(admitted);
  return admitted.call;
}

/** What is wrong with the arguments of a call, by the stages that ask nobody: resolve, allow, arguments. */
export function argumentDefect(parts: DoorParts, request: CallRequest): ToolrailError | undefined {
  try {
    const tool = parts.find(request.tool);
    checkArguments(parts, { tool, arguments: request.arguments ?? {} });
    return undefined;
  } catch (cause) {
    return toDoorError(cause, { name: toolText(request.tool) });
  }
}
