import { z } from "zod";
import { abortError } from "../../call/call-error.ts";
import { pausedDefect } from "../../chain/run-chain.ts";
import { createOptionCheck } from "../../check-options.ts";
import { invalidOptions } from "../../errors.ts";
import type { Host } from "../../host/host.ts";
import type { JsonObject } from "../../json/json.ts";
import { jsonObject, readShape } from "../../json/shape.ts";
import type { PendingCall } from "../../result/hop.ts";
import { judgePipe, PARSE_OPTIONS, type ParsePipeOptions } from "../compile/check-pipe.ts";
import type { CompiledGroup, CompiledNested, CompiledPipe, CompiledStep, Pipe } from "../pipe.ts";
import { type PipeResult, type StepResult, toStepResult } from "../variables/results.ts";
import { addStep, enterNested, topVariables, type Variables } from "../variables/variables.ts";
import { concludePipe, joinResults } from "./conclude-pipe.ts";
import {
  createPipeRun,
  type PipeAnswers,
  type PipeRun,
  type PipeRunOptions,
  reportPipe,
} from "./pipe-run.ts";
import { beginStep, endStep, runToolStep, type StepStage, type Turn } from "./tool-step.ts";

/** The pipe to run, and the options of the run. */
export interface RunPipeOptions extends ParsePipeOptions, PipeRunOptions {
  /**
   * If true, the pipe waits if a step needs a person: its result has `paused`, and `resumePipe` continues it. Steps that do not
   * depend on the waiting one still run. Default false: the step fails.
   */
  readonly pauses?: boolean | undefined;
}

const WHO = { signal: "signal", conversation: "id", context: "any" } as const;

const checkRun = /* @__PURE__ */ createOptionCheck<RunPipeOptions>(
  "runPipe",
  { ...PARSE_OPTIONS, ...WHO, pipeId: "text", toolCallId: "text", key: "id", pauses: "boolean" },
  { isRequired: true },
);

const checkResume = /* @__PURE__ */ createOptionCheck<ResumePipeOptions>(
  "resumePipe",
  { ...WHO, tools: PARSE_OPTIONS.tools, paused: "object", answers: "object" },
  { isRequired: true },
);

/**
 * Runs a pipe, which may be parsed already. A failure is a result with `ok: false` and every step that ran. Rejects only with
 * `invalid-options`.
 */
export async function runPipe(host: Host, options: RunPipeOptions): Promise<PipeResult> {
  checkRun(options);
  const verdict = judgePipe(host, options);
  if (!verdict.ok) {
    const { error, problems } = verdict;
    reportPipe(createPipeRun(host, options), { steps: 0, ok: false, code: error.code });
    return { ok: false, error: error.message, result: null, steps: {}, problems };
  }
  const { pipe } = verdict;
  const { author } = pipe;
  const run = createPipeRun(host, { ...options, author });
  reportPipe(run, { steps: pipe.stepCount });
  // A run that was kept may be continued twice: it makes each of its calls once.
  const journal = options.pauses ? { journal: new Map(), key: run.key ?? run.pipeId } : {};
  return runOn({ ...run, ...journal }, { pipe, vars: options.vars ?? {}, usedMs: 0 });
}

/** The pipe that waits, and the answers to it. */
export interface ResumePipeOptions
  extends Pick<PipeRunOptions, "signal" | "conversation" | "context">,
    Pick<ParsePipeOptions, "tools"> {
  /** The `paused` of the result, unchanged. */
  readonly paused: PausedPipe;
  /** The answers by the paths of `paused.asks`: `"approve"`, `{ approve }` or `{ deny }`. A step without one keeps waiting. */
  readonly answers: PipeAnswers;
}

/**
 * Resumes a pipe that waits. It repeats no call, also when the same `paused` is resumed twice: its calls are made once in all
 * processes with the same `store`. All limits apply to the whole run, and `runTimeoutMs` does not count the time that the pipe
 * waited. A step whose tool is not among `tools` now fails. `conversation` may be left out; pass `context` again. Rejects with
 * `invalid-options` for answers to other steps or a changed `paused`, and with `aborted` before it resumes.
 */
export async function resumePipe(host: Host, options: ResumePipeOptions): Promise<PipeResult> {
  checkResume(options);
  const { paused, answers, signal, conversation, ...caller } = options;
  if (signal?.aborted) throw abortError(signal, "Resuming the pipe");
  const { journal, key, ...kept } = readPaused(paused, answers);
  if (conversation !== undefined && conversation !== kept.conversation)
    throw invalidOptions(OTHER_CONVERSATION);
  const { author } = kept.pipe;
  const run = createPipeRun(host, { ...caller, ...kept, signal, author, pauses: true });
  const endMs = run.endMs - kept.usedMs;
  return runOn({ ...run, key, endMs, journal: new Map(journal), answers }, kept);
}

const OTHER_CONVERSATION =
  "This pipe was begun in another `conversation`: leave it out when you resume the pipe.";

/** Runs a pipe until it ends or waits for a person. With a journal, it continues an earlier run. */
async function runOn(run: PipeRun, start: PipeStart): Promise<PipeResult> {
  const { pipe, vars } = start;
  const startMs = run.now();
  const { waits, ...result } = await advancePipe(run, start);
  const usedMs = start.usedMs + run.now() - startMs;
  if (waits) {
    const paused = toPaused(run, { pipe, vars, usedMs });
    const places = paused.asks.map(({ path }) => path).join(", ");
    return { ...result, error: `The pipe waits for a person at ${places}.`, paused };
  }
  reportPipe(run, { steps: pipe.stepCount, ok: result.ok, elapsedMs: usedMs });
  return result;
}

interface PipeStart {
  readonly pipe: CompiledPipe & Pick<Pipe, "author" | "stepCount">;
  readonly vars: JsonObject;
  /** The time that the pipe has run, without the time that it waited. */
  readonly usedMs: number;
}

/** A run that waits for a person. Plain JSON, with the results so far: keep it where only your own program can write it. */
export interface PausedPipe {
  /** The calls that wait, with the paths of their steps. */
  readonly asks: readonly { readonly path: string; readonly pending: PendingCall }[];
  /** What `resumePipe` needs to go on. */
  readonly run: PipeStart &
    Pick<PipeRun, "pipeId" | "toolCallId" | "key" | "conversation" | "limits"> & {
      readonly journal: readonly (readonly [path: string, StepStage])[];
    };
}

/** Describes a run that waits, to be resumed in this process or another. */
function toPaused(
  { pipeId, toolCallId, key, conversation, limits, journal = new Map() }: PipeRun,
  start: PipeStart,
): PausedPipe {
  const run = { ...start, pipeId, toolCallId, key, conversation, limits, journal: [...journal] };
  const asks = waitingChains(run.journal).flatMap(({ path, chain: { pending } }) =>
    pending ? [{ path, pending }] : [],
  );
  return JSON.parse(JSON.stringify({ asks, run }));
}

const STAGE = /* @__PURE__ */ z.discriminatedUnion("type", [
  z.object({
    type: z.literal("waiting"),
    startMs: z.number(),
    chain: z.object({ hops: z.array(jsonObject) }),
  }),
  z.object({ type: z.enum(["begun", "ended"]), startMs: z.number() }),
]);
const RUN = /* @__PURE__ */ z.object({
  pipe: z.object({ steps: z.array(jsonObject) }),
  pipeId: z.string(),
  usedMs: z.number(),
  vars: jsonObject,
  limits: jsonObject,
  journal: z.array(z.tuple([z.string(), STAGE])),
});
const RESUMED = /* @__PURE__ */ z.object({ paused: z.object({ run: RUN }), answers: jsonObject });

/** Reads a run that was kept outside. Throws `invalid-options` if it cannot be resumed, or not with these answers. */
function readPaused(paused: PausedPipe, answers: PipeAnswers): PausedPipe["run"] {
  const { defect } = readShape(RESUMED, { paused, answers });
  if (defect) throw invalidOptions(`${CHANGED} Of the options, ${defect}.`);
  const { run } = paused;
  const waiting = waitingChains(run.journal);
  const nobody = `No step waits there, but ${waiting.map(({ path }) => path).join(", ")}.`;
  for (const [path, decision] of Object.entries(answers)) {
    const chain = waiting.find((one) => one.path === path)?.chain;
    const why = chain ? pausedDefect(chain, decision) : nobody;
    if (why) throw invalidOptions(`The answer to ${path}: ${why}`);
  }
  return run;
}

function waitingChains(journal: PausedPipe["run"]["journal"]) {
  return journal.flatMap(([path, stage]) =>
    stage.type === "waiting" ? [{ path, chain: stage.chain }] : [],
  );
}

const CHANGED =
  "This pipe cannot be resumed: keep the `paused` that `runPipe` returned unchanged, as JSON.";

/** The result of a list of steps. `waits` is true if a step has not ended: it waits for a person, or for its turn. */
type StepsEnd = PipeResult & { readonly waits: boolean };

/**
 * Takes a pipe as far as its journal, the answers and its `turns` allow. An engine that decides itself which step is next
 * calls it for each one, and stores what has changed in the journal.
 */
export function advancePipe(
  run: PipeRun,
  { pipe, vars }: Pick<PipeStart, "pipe" | "vars">,
): Promise<StepsEnd> {
  return runSteps(run, { pipe, variables: topVariables(pipe, vars) });
}

/**
 * Runs the steps of a pipe one after another. The first failure ends the pipe, unless it continues after errors. An abort ends
 * it with one step that reports the abort. A step that waits for a person holds up the later steps.
 */
async function runSteps(
  run: PipeRun,
  { pipe, variables }: { readonly pipe: CompiledPipe; readonly variables: Variables },
): Promise<StepsEnd> {
  const steps: Record<string, StepResult> = {};
  let seen = variables;
  let isWell = true;
  for (const step of pipe.steps) {
    const result = await runStep(run, { step, variables: seen });
    if (!result) return { ok: false, error: "", result: null, steps, waits: true };
    steps[step.id] = result;
    seen = addStep(seen, result);
    isWell &&= result.ok;
    if (!isWell && (run.signal?.aborted || !pipe.continueOnError)) break;
  }
  return { ...concludePipe(pipe, { limits: run.limits, steps, variables: seen }), waits: false };
}

/** Runs a step to its end. Returns `undefined` if it, or a step inside it, waits for a person or for its turn. */
async function runStep(run: PipeRun, turn: Turn<CompiledStep>): Promise<StepResult | undefined> {
  const { step } = turn;
  const known = run.journal?.get(step.path);
  const isTurn = run.turns?.has(step.path) ?? true;
  if (!isTurn && (!known || (step.kind === "tool" && known.type !== "ended"))) return undefined;
  if (step.kind === "tool") {
    const stage = await runToolStep(run, { ...turn, step });
    return stage.type === "ended" ? toStepResult(step, stage) : undefined;
  }
  const begun = beginStep(run, step);
  if (begun.type === "ended") return toStepResult(step, begun);
  const inner = await runInside(run, { ...turn, step });
  if (inner.waits || (!isTurn && known?.type !== "ended")) return undefined;
  const end = endStep(run, { ...begun, step, error: inner.error });
  return toStepResult(step, { ...end, inner });
}

async function runInside(
  run: PipeRun,
  { step, variables }: Turn<CompiledGroup | CompiledNested>,
): Promise<Pick<StepsEnd, "error"> & Partial<StepsEnd>> {
  const { limits } = run;
  if (step.kind === "pipe") {
    const entry = enterNested(step, { variables, limits });
    return "error" in entry ? entry : runSteps(run, { pipe: step.pipe, ...entry });
  }
  const { children } = step;
  const ends = await Promise.all(children.map((child) => runStep(run, { step: child, variables })));
  const results = ends.flatMap((end) => end ?? []);
  return {
    ...joinResults(children, { results, variables, limits }),
    waits: ends.includes(undefined),
  };
}
