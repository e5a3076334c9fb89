import { notify } from "../../call/notify.ts";
import type { Host } from "../../host/host.ts";
import { engineOf } from "../../host/host-engine.ts";
import { joinKey } from "../../json/path.ts";
import { shorten } from "../../json/plain-text.ts";
import { changeText, type Hop } from "../../result/hop.ts";
import { modelView } from "../../result/model-view.ts";
import { PIPE_TOOL_NAME } from "../compile/compile-tool-step.ts";
import { findKept } from "../compile/kept-vars.ts";
import type { PipeResult, StepResults } from "../types.ts";
import { byId, INNER, innerResults } from "../variables/results.ts";
import { coverStep, showStep } from "../variables/step-views.ts";
import type { PipeToolListeners, PipeToolSettings } from "./define-tool.ts";

export interface FailedStep {
  readonly path: string;
  readonly error: string;
}

/** The part of the output of `mcp_pipe` that a model reads. It never contains the output of each step. */
export interface PipeReply extends Pick<PipeResult, "ok" | "error" | "result"> {
  /** The steps that failed. Absent if `error` already describes them. */
  readonly failed?: readonly FailedStep[];
  /** The steps whose arguments a person changed while approving the call. Absent if there are none. */
  readonly changed?: readonly string[];
}

/** The output of `mcp_pipe`: the reply, and the results of all steps without raw results and content for the user alone. */
export interface PipeOutput extends PipeReply {
  readonly steps: StepResults;
}

const MAX_ERROR = 2_000;
/** The maximum characters of the errors of all failed steps together. */
const MAX_FAILED = 8_000;
const MAX_CHANGED = 20;

/** Creates the short reply of `mcp_pipe`. The application receives the whole result. */
export function toPipeReply({ ok, error, steps, ...values }: PipeResult): PipeReply {
  const { result, result_for_model: shown = result } = values;
  const all = failedSteps(steps);
  const most = Math.min(MAX_ERROR, Math.floor(MAX_FAILED / all.length));
  const failed = all.map(({ path, error: why }) => {
    return { path: shorten(path, 400), error: shorten(why, most) };
  });
  const changed = changedSteps(steps).slice(0, MAX_CHANGED);
  const change = changed.length > 0 && { changed };
  const reply = { ok, error: shorten(error, MAX_ERROR), result: shown, ...change };
  return all.every((step) => reply.error.includes(step.error)) ? reply : { ...reply, failed };
}

/** Creates the output of `mcp_pipe` from its reply and the results of its steps. */
export function toPipeOutput(reply: PipeReply, steps: StepResults): PipeOutput {
  return { ...reply, steps: byId(Object.values(steps).map((step) => showStep(coverStep(step)))) };
}

/** Lists the tool steps that failed, and the nested pipes whose `vars` or `return` failed, in order. */
function failedSteps(results: StepResults, path = "steps"): FailedStep[] {
  return Object.values(results).flatMap((step) => {
    if (step.ok) return [];
    const own = { path: joinKey(path, step.id), error: step.error };
    if (step.kind === "tool") return own;
    const inner = failedSteps(innerResults(step), `${own.path}.${INNER[step.kind]}`);
    return inner.length > 0 ? inner : own;
  });
}

/** Writes a sentence for each call that a person has changed, in order. */
function changedSteps(results: StepResults, path = "steps"): string[] {
  return Object.values(results).flatMap((step) => {
    const at = joinKey(path, step.id);
    if (step.kind !== "tool") return changedSteps(innerResults(step), `${at}.${INNER[step.kind]}`);
    return step.hops.flatMap((hop) => {
      const text = changeText(hop);
      return text === undefined ? [] : `${shorten(at, 400)}: ${text}`;
    });
  });
}

/** A call of `mcp_pipe` by a model, with the options of the tool. */
interface PipeCall extends PipeToolSettings, PipeToolListeners {
  readonly spec: unknown;
  readonly conversation: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Prepares the pipe of a call: adds the stored results that its spec names, and the options of the tool. */
export async function preparePipe(
  host: Host,
  { spec, conversation, tools, limits, follow }: PipeCall,
) {
  const kept = await findKept(host, { spec, conversation });
  return { author: "model", spec, kept, tools, limits, follow } as const;
}

/**
 * Reports the result of a call and creates the reply. If its value is long, it is stored, and the model reads an excerpt and its
 * address. The `result` is for the framework to keep.
 */
export async function answerPipe(
  host: Host,
  whole: PipeResult,
  { spec, conversation, toolCallId, signal, onResult }: PipeCall,
) {
  await notify({ onResult }, { toolCallId, spec, result: whole }, engineOf(host));
  signal?.throwIfAborted();
  const short = toPipeReply(whole);
  const { result } = short;
  const isText = typeof result === "string";
  const content = isText ? [{ type: "text", text: result }] : [];
  const structuredContent = isText ? undefined : (result ?? undefined);
  const hop = await host.keep<Hop>(
    { ...MADE, callId: toolCallId ?? "", result: { content, structuredContent } },
    { conversation },
  );
  const read = () => modelView(hop).content.map(({ text }) => text);
  const reply = hop.kept === undefined ? short : { ...short, result: read().join("\n") };
  return { reply, result: whole };
}

/** The other fields of a result that is stored as if a call had returned it. */
const MADE = {
  server: "",
  tool: PIPE_TOOL_NAME,
  runId: "",
  arguments: {},
  origin: { by: "model" },
  output: { status: "unchecked" },
  startedAtMs: 0,
  durationMs: 0,
} as const;
