import type { ToolrailError } from "../errors.ts";
import type { Hop } from "../result/hop.ts";
import type { Answer, CallOptions, CallRequest, CheckedCall } from "../types/call-options.ts";
import { toolText } from "../types/tool.ts";
import { isForUserByCall } from "./audiences.ts";
import { toStageError, withoutWords } from "./call-error.ts";
import { isChecked, keepCheck, passAgain, takeCheck } from "./pass-again.ts";
import {
  beginPassage,
  enter,
  type HostParts,
  type Passage,
  report,
  type Stages,
  type Step,
} from "./passage.ts";
import { checkBySchema } from "./value-checks.ts";

interface CallToMake<Request = CallRequest | CheckedCall> {
  readonly request: Request;
  readonly options: CallOptions;
}

/** Makes a call: the one way to a server. It passes the stages of `call/stages.ts`. */
export async function makeCall(
  host: HostParts,
  { request: given, options }: CallToMake,
): Promise<Hop> {
  const checked = isChecked(given) ? given : undefined;
  const before = checked && takeCheck(host, checked);
  const request = before?.request ?? (given as CallRequest);
  const waking = host.wake(request.tool, options.signal);
  if (waking !== undefined) await waking;
  const passage = beginPassage(host, { request, options, emit: host.emit }, before?.call.callId);
  const { stages } = host;
  try {
    if (checked && before) await passAgain(passage, { checked, before });
    else {
      const checking = runStages(passage, stages.check);
      if (checking !== undefined) await checking;
      if (passage.asks !== undefined) {
        const { toAskError } = await import("./binding.ts");
        throw await toAskError(passage);
      }
    }
    passage.isAdmitted = true;
    const beginning = runStages(passage, stages.begin);
    if (beginning !== undefined) await beginning;
    enter(passage, "call");
    passage.answer = (await stages.send({ passage, call: passage.call })) as Answer;
    const finishing = runStages(passage, stages.finish);
    if (finishing !== undefined) await finishing;
    return passage.hop as Hop;
  } catch (cause) {
    throw await refuse(passage, cause);
  }
}

/** Runs the stages before a call and sends nothing. A refusal is returned, not thrown. */
export async function checkCall(
  host: HostParts,
  requested: CallToMake<CallRequest>,
): Promise<CheckedCall> {
  const { request, options } = requested;
  const waking = host.wake(request.tool, options.signal);
  if (waking !== undefined) await waking;
  // The call that uses this check reports the stages.
  const passage = beginPassage(host, { ...requested, emit: undefined });
  try {
    await runStages(passage, host.stages.check);
    const { call, asks } = passage;
    if (asks === undefined) return keepCheck({ type: "allow", call }, passage);
    const { describeAsking } = await import("./binding.ts");
    return keepCheck(await describeAsking(passage), passage);
  } catch (cause) {
    return keepCheck({ type: "refuse", error: toRefusal(passage, cause) }, passage);
  }
}

/** Runs stages in order, beginning with `from`. It takes no turn of the event loop if none of them waits. */
function runStages(
  passage: Passage,
  stages: Stages["check"],
  { from = 0 } = {},
): void | Promise<void> {
  for (let index = from; index < stages.length; index++) {
    const { stage, run } = stages[index] as Step;
    if (stage !== undefined) enter(passage, stage);
    const wait = run(passage);
    if (wait === undefined) continue;
    return Promise.resolve(wait).then(() => runStages(passage, stages, { from: index + 1 }));
  }
}

/** Reports why a call was not made or has no result, and returns it as an error that a model may read. */
function refuse(passage: Passage, cause: unknown): ToolrailError {
  const { stage } = passage;
  const error = toRefusal(passage, cause);
  const isSent = stage === "call" || stage === "result";
  const outcome = isSent || error.code === "aborted" ? "failed" : "refused";
  report(passage, outcome, { code: error.code });
  return error;
}

/** Returns the error of a call as a model may read it. */
function toRefusal(passage: Passage, cause: unknown): ToolrailError {
  const { name, options } = passage;
  const error = toStageError(cause, { name, signal: options.signal });
  return isHidden(passage) ? withoutWords(error, name) : error;
}

function isHidden({ host, call, isAdmitted }: Passage): boolean {
  if (!isAdmitted) return call.origin.forUserAlone === true;
  const { hidesErrors = [] } = host.hooks;
  return isForUserByCall(host.hooks, call) || hidesErrors.some((hides) => hides(call.tool));
}

/** Describes what is wrong with the arguments of a call, if that is known without asking anyone. */
export function findArgumentDefect(
  host: HostParts,
  request: CallRequest,
): ToolrailError | undefined {
  try {
    const tool = host.find(request.tool);
    if (host.hooks.transformArguments) return undefined;
    checkBySchema(host, { tool, arguments: request.arguments ?? {} });
    return undefined;
  } catch (cause) {
    return toStageError(cause, { name: toolText(request.tool) });
  }
}
