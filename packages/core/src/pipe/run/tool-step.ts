import type { AdapterCallOptions, ToolCall } from "../../call/call-options.ts";
import { isWaiting } from "../../chain/next-hop.ts";
import { ToolrailError } from "../../errors.ts";
import { offeredTools } from "../../host/for-adapters.ts";
import { canonicalJson, type JsonObject } from "../../json/json.ts";
import { messageOf, quoted } from "../../json/plain-text.ts";
import { isForUserAlone, modelText } from "../../result/call-tool-result.ts";
import type { ChainResult, Hop } from "../../result/hop.ts";
import type { CompiledStep, CompiledToolStep } from "../pipe.ts";
import { weighHops } from "../variables/results.ts";
import { readCovered, resolveValue, type Variables } from "../variables/variables.ts";
import { tooMuchText } from "./conclude-pipe.ts";
import type { PipeRun } from "./pipe-run.ts";

/** The progress of a step. Plain JSON from which the step's result follows, so that an engine stores nothing else. */
export type StepStage = StepBegun | StepWaiting | StepEnded;

/** A step whose arguments are known, right before its call. */
export interface StepBegun {
  readonly type: "begun";
  /** Milliseconds since the epoch. */
  readonly startMs: number;
}

/** A tool step that waits for a person's approval of its next call: see `chain.pending`. */
export interface StepWaiting {
  readonly type: "waiting";
  readonly startMs: number;
  readonly chain: ChainResult;
}

/** A finished step, with what later steps can read of it. */
export interface StepEnded {
  readonly type: "ended";
  readonly startMs: number;
  readonly elapsedMs: number;
  /** Empty if the step succeeded. */
  readonly error: string;
  /** The calls of a tool step, in order. */
  readonly hops?: readonly Hop[];
}

type StepPlace = Pick<CompiledStep, "path" | "kind">;

/** Begins a step and reports it. The step ends at once if the pipe was aborted. */
export function beginStep(run: PipeRun, step: StepPlace): StepBegun | StepEnded {
  const { path, kind } = step;
  const known = run.journal?.get(path);
  const startMs = known?.startMs ?? run.now();
  if (!known) {
    run.report?.({ type: "step", stage: "started", atMs: startMs, runId: run.pipeId, path, kind });
    run.journal?.set(path, { type: "begun", startMs });
  }
  if (!run.signal?.aborted) return { type: "begun", startMs };
  const why = "The pipe was aborted before this step started.";
  return endStep(run, { step, startMs, error: kind === "tool" ? why : `${path}: ${why}` });
}

interface StepEnding extends Pick<StepEnded, "startMs" | "error" | "hops"> {
  readonly step: StepPlace;
  /** The calls to report, if they differ from the stored ones. */
  readonly calls?: readonly Hop[] | undefined;
}

/** Ends a step and reports it, with the calls of a tool step. A step that ended before the run waited is not changed. */
export function endStep(run: PipeRun, ending: StepEnding): StepEnded {
  const { step, startMs, error, hops, calls = hops } = ending;
  const { path, kind } = step;
  const known = run.journal?.get(path);
  if (known?.type === "ended") return known;
  const atMs = run.now();
  const elapsedMs = atMs - startMs;
  const callIds = calls?.map(({ callId }) => callId);
  const about = { runId: run.pipeId, path, kind, ok: error === "", elapsedMs };
  run.report?.({ type: "step", stage: "ended", atMs, ...about, ...(callIds && { callIds }) });
  const end: StepEnded = { type: "ended", startMs, elapsedMs, error, ...(hops && { hops }) };
  run.journal?.set(path, end);
  return end;
}

/** A step to run, with its variables. */
export interface Turn<Step extends CompiledStep> {
  readonly step: Step;
  readonly variables: Variables;
}

type ToolTurn = Turn<CompiledToolStep>;
type ToolStage = StepEnded | StepWaiting;

/** Runs a tool step until it ends or waits for a person. Never rejects. */
export async function runToolStep(run: PipeRun, turn: ToolTurn): Promise<ToolStage> {
  const { step } = turn;
  const begun = beginStep(run, step);
  if (begun.type === "ended") return begun;
  const { startMs } = begun;
  const known = run.journal?.get(step.path);
  if (known?.type === "ended") {
    run.spent.calls += known.hops?.length ?? 0;
    return known;
  }
  if (known?.type === "waiting") {
    const { chain } = known;
    const decision = run.answers?.[step.path];
    if (decision === undefined) return known;
    const resume = (options: AdapterCallOptions) => run.host.resume(chain, decision, options);
    return makeCall(run, { ...turn, startMs, call: resume });
  }
  let args: JsonObject;
  try {
    args = makeArguments(run, turn);
  } catch (cause) {
    return endStep(run, { step, startMs, error: messageOf(cause), hops: [] });
  }
  const request = { tool: step.tool, arguments: args };
  const call = (options: AdapterCallOptions) => run.host.run(request, options);
  return makeCall(run, { ...turn, startMs, call });
}

/** Resolves the arguments of a step. Throws if a reference cannot be read. */
function makeArguments({ limits }: PipeRun, { step, variables }: ToolTurn): JsonObject {
  return resolveValue(step.args, { variables, maxBytes: limits.maxArgumentBytes }) as JsonObject;
}

interface Calling extends ToolTurn {
  readonly startMs: number;
  call(options: AdapterCallOptions): Promise<ChainResult>;
}

/** Makes the call of a step, and ends the step unless the call waits for a person. */
async function makeCall(run: PipeRun, calling: Calling): Promise<ToolStage> {
  const { step, startMs, call } = calling;
  const { signal, conversation, context, pipeId, author, tools } = run;
  const { path } = step;
  const forUserAlone = holdsHidden(run, calling) && ({ forUserAlone: true } as const);
  const chain = await run.inSlot(() =>
    call({
      signal,
      conversation,
      context,
      follow: false,
      runId: pipeId,
      origin: { by: "pipe", pipeId, path, author, ...forUserAlone },
      timeoutMs: run.endMs - run.now(),
      key: run.key === undefined ? undefined : `${run.key}/${path}`,
      gate: tools && ((made) => refuseOthers(run, made)),
    }),
  );
  const { hops } = chain;
  if (isWaiting(chain) && run.pauses) {
    const { error: _, ...kept } = chain; // The pending call contains the reason, so `error` is not stored.
    run.journal?.set(path, { type: "waiting", startMs, chain: kept });
    return { type: "waiting", startMs, chain };
  }
  run.spent.calls += hops.length;
  const isKept = calling.variables.keptBytes + weighHops(hops) <= run.limits.maxKeptBytes;
  if (isKept) return endStep(run, { step, startMs, error: findError(run, chain), hops });
  return endStep(run, { step, startMs, error: tooMuchText(run.limits), hops: [], calls: hops });
}

/** Refuses a tool that is not offered now. The tools may have changed since the spec was checked. */
function refuseOthers({ host, tools }: PipeRun, { tool: { id } }: ToolCall) {
  if (offeredTools(host, tools).some((tool) => tool.id === id)) return "allow";
  return new ToolrailError("not-allowed", `${id} was not called: it is not offered here.`);
}

/** Returns true if the arguments of a step would be different without content for the user alone. */
function holdsHidden(run: PipeRun, { step, variables }: ToolTurn): boolean {
  const make = (own: Variables) => makeArguments(run, { step, variables: own });
  const seen = readCovered(variables, make);
  if (seen === undefined) return false;
  try {
    return canonicalJson(seen) !== canonicalJson(make(variables));
  } catch {
    return true; // A call that waited may continue even if its arguments can no longer be read.
  }
}

/** Returns the reason why the step failed, or an empty text. A chain that still waits is a failure. */
function findError({ author }: Pick<PipeRun, "author">, chain: ChainResult): string {
  const { ended, hops, error } = chain;
  const invalid = hops.find(({ output }) => output.status === "invalid");
  if (invalid?.output.status === "invalid") {
    return isForUserAlone(invalid.result) ? NO_DETAILS : invalid.output.message;
  }
  if (ended !== "complete") {
    const why = error?.message ?? `The chain of calls ended early (${ended}).`;
    return isWaiting(chain) ? `${why} Nobody can be waited for here: ${INSTEAD[author]}.` : why;
  }
  const failed = hops.find(({ result }) => result.isError);
  if (!failed) return "";
  return (
    quoted(modelText(failed.result)) || "The tool reported an error without any text for the model."
  );
}

const INSTEAD: Readonly<Record<PipeRun["author"], string>> = {
  application: "run the pipe with `pauses: true`",
  model: "call the tool directly, outside a pipe",
};
const NO_DETAILS =
  "A value is invalid. It contains content for the user alone, so this message must not say what is wrong.";
