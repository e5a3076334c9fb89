import { notify } from "../../call/events.ts";
import { engineOf } from "../../host/engine.ts";
import type { Host } from "../../host/host.ts";
import { joinKey } from "../../json/path.ts";
import { shorten } from "../../json/plain-text.ts";
import { changeText, type Hop } from "../../result/hop.ts";
import { modelView } from "../../result/model-view.ts";
import { PIPE_TOOL_NAME } from "../compile/compile-steps.ts";
import {
  coverStep,
  INNER,
  innerResults,
  mapResults,
  type PipeResult,
  type StepResults,
  showStep,
} from "../variables/results.ts";
import type { PipeToolListeners } from "./define-tool.ts";

/** A call of `mcp_pipe` by a model, with the listeners of the tool. */
interface PipeCall extends PipeToolListeners {
  readonly spec: unknown;
  readonly conversation: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reports the result of a call and creates the reply. If its value is long, a plugin may store it and show an excerpt. */
export async function answerPipe(
  host: Host,
  whole: PipeResult,
  { spec, conversation, toolCallId, signal, onResult }: PipeCall,
): Promise<PipeReply> {
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
  return hop.kept === undefined ? short : { ...short, result: read().join("\n") };
}

/** The other fields of a result that is stored as if a call had returned it. */
const MADE = {
  runId: "",
  origin: { by: "model" },
  server: "",
  tool: PIPE_TOOL_NAME,
  arguments: {},
  output: { status: "unchecked" },
  startedAtMs: 0,
  durationMs: 0,
} as const;

/** The part of the output of `mcp_pipe` that a model reads. It never contains the output of each step. */
export interface PipeReply extends Pick<PipeResult, "ok" | "error" | "result"> {
  /** The steps whose arguments a person changed while approving the call. Absent if there are none. */
  readonly changed?: readonly string[];
}

/** The output of `mcp_pipe`: the reply, and the results of all steps without raw results and content for the user alone. */
export interface PipeOutput extends PipeReply {
  readonly steps: StepResults;
}

/** The maximum characters of the errors of all failed steps together. */
const MAX_ERROR = 8_000;
const MAX_CHANGED = 20;

/** Creates the short reply of `mcp_pipe`. The application receives the whole result. */
export function toPipeReply(whole: PipeResult): PipeReply {
  const { ok, result, result_for_model: shown = result } = whole;
  const error = shorten(whole.error, MAX_ERROR);
  const changed = changeTexts(whole.steps, "steps").slice(0, MAX_CHANGED);
  return { ok, error, result: shown, ...(changed.length > 0 && { changed }) };
}

/** Creates the output of `mcp_pipe` from its reply and the results of its steps. */
export function toPipeOutput(reply: PipeReply, steps: StepResults): PipeOutput {
  return { ...reply, steps: mapResults(steps, (step) => showStep(coverStep(step))) };
}

/** Writes a sentence for each call that a person has changed, in the order of the steps. */
function changeTexts(results: StepResults, around: string): string[] {
  return Object.values(results).flatMap((step) => {
    const path = joinKey(around, step.id);
    if (step.kind !== "tool") return changeTexts(innerResults(step), `${path}.${INNER[step.kind]}`);
    const texts = step.hops.flatMap((hop) => changeText(hop) ?? []);
    return texts.map((text) => `${shorten(path, 400)}: ${text}`);
  });
}
