import { isWaiting } from "../../chain/chain-end.ts";
import { ToolrailError } from "../../errors.ts";
import { offeredTools } from "../../host/offered-tools.ts";
import { canonicalJson, type JsonObject } from "../../json/json.ts";
import { messageOf, quoted } from "../../json/plain-text.ts";
import type { ChainResult, Decision } from "../../result/chain-result.ts";
import { isForUserAlone, modelText } from "../../result/content-block.ts";
import type { CallOptions } from "../../types/call-options.ts";
import type { ToolCall } from "../../types/tool-call.ts";
import type {
  CompiledToolStep,
  PipeRun,
  StepEnded,
  StepWaiting,
  Turn,
  Variables,
} from "../types.ts";
import { weighHops } from "../variables/results.ts";
import { resolveValue } from "../variables/values.ts";
import { readCovered } from "../variables/variables.ts";
import { tooMuchText } from "./kept-bytes.ts";
import { takeStep } from "./run-context.ts";
import { beginStep, endStep } from "./step-stage.ts";

export type ToolTurn = Turn<CompiledToolStep>;

type ToolStage = StepEnded | StepWaiting;

/** Runs a tool step until it ends or waits for a person. Never rejects. */
export async function runToolStep(run: PipeRun, turn: ToolTurn): Promise<ToolStage> {
  const { step, variables } = turn;
  const begun = beginStep(run, step);
  if (begun.type === "ended") return begun;
  const { startMs } = begun;
  const known = run.journal?.get(step.path);
  if (known?.type === "ended") {
    const { length } = known.hops ?? [];
    run.spent.steps += Math.max(length, 1) - 1;
    run.spent.calls += length;
    return known;
  }
  if (known?.type === "waiting") {
    run.spent.steps += known.chain.hops.length;
    const decision = run.answers?.[step.path];
    return decision === undefined ? known : resumeToolStep(run, { ...turn, ...known, decision });
  }
  try {
    const args = makeArguments(run, turn);
    const request = { tool: step.tool, arguments: args };
    const call = (options: CallOptions) => run.host.run(request, options);
    return settle(run, { step, variables, startMs, call });
  } catch (cause) {
    const error = messageOf(cause);
    return endStep(run, { step, startMs, error, hops: [] });
  }
}

/** Resolves the arguments of a step. Throws if a reference cannot be read. */
function makeArguments({ limits }: Pick<PipeRun, "limits">, { step, variables }: ToolTurn) {
  return resolveValue(step.args, { variables, maxBytes: limits.maxArgumentBytes }) as JsonObject;
}

/** Resumes a waiting step with a person's decision. Repeats no call. */
export function resumeToolStep(
  run: PipeRun,
  waited: ToolTurn & Omit<StepWaiting, "type"> & { readonly decision: Decision },
): Promise<ToolStage> {
  const { step, variables, startMs, chain, decision } = waited;
  const call = (options: CallOptions) => run.host.resume(chain, decision, options);
  return settle(run, { step, variables, startMs, call, before: chain.hops.length });
}

interface Calling extends ToolTurn {
  readonly startMs: number;
  /** The number of calls that the chain made before it waited. */
  readonly before?: number;
  call(options: CallOptions): Promise<ChainResult>;
}

async function settle(
  run: PipeRun,
  { call, before = 0, step, variables: seen, startMs }: Calling,
): Promise<ToolStage> {
  const { signal, conversation, context, pipeId, author, follow, endMs, tools } = run;
  const { path } = step;
  const key = run.key === undefined ? undefined : `${run.key}/${path}`;
  const forUserAlone = holdsHidden(run, { step, variables: seen });
  let counted = before + 1;
  const chain = await run.inSlot(() =>
    call({
      signal,
      conversation,
      context,
      runId: pipeId,
      origin: { by: "pipe", pipeId, path, author, ...(forUserAlone && { forUserAlone }) },
      timeoutMs: endMs - run.now(),
      follow,
      key,
      gate: tools && before === 0 ? (made) => refuseOthers(run, made) : undefined,
      allowHop() {
        const isLeft = takeStep(run);
        if (isLeft) counted++;
        return isLeft;
      },
    }),
  );
  run.onChain?.(chain);
  const canWait = run.pauses === "before-calls" ? chain.hops.length === 0 : run.pauses;
  if (canWait && isWaiting(chain)) {
    const { error: _, ...kept } = chain; // The pending call contains the reason, so `error` is not stored.
    run.journal?.set(path, { type: "waiting", startMs, chain: kept });
    return { type: "waiting", startMs, chain };
  }
  return endToolStep(run, { step, variables: seen, startMs, chain, counted });
}

/** Refuses a tool that is not offered now. The tools may have changed since the spec was checked. */
function refuseOthers({ host, tools }: PipeRun, { tool: { id } }: ToolCall) {
  if (offeredTools(host, tools).some((tool) => tool.id === id)) return "allow";
  return new ToolrailError("not-allowed", `${id} was not called: it is not offered here.`);
}

interface ToolStepEnding extends ToolTurn, Omit<StepWaiting, "type"> {
  readonly counted: number;
}

/** Ends a step with the results of its calls. A chain that still waits is a failure. */
function endToolStep(
  run: PipeRun,
  { step, variables, startMs, chain, counted }: ToolStepEnding,
): StepEnded {
  const { hops } = chain;
  // A refused hop is no step, since a run that continues in another process can only count stored hops.
  run.spent.steps -= counted - Math.max(hops.length, 1);
  run.spent.calls += hops.length;
  if (variables.keptBytes + weighHops(hops) <= run.limits.maxKeptBytes) {
    const error = findError(chain, (why) => describeDefect(run, { step, variables }, why));
    return endStep(run, { step, startMs, error, hops });
  }
  const error = tooMuchText(run.limits, step);
  return endStep(run, { step, startMs, error, hops: [], calls: hops });
}

/** Returns the reason why the step failed, or an empty text. */
function findError(chain: ChainResult, describe: (defect: string) => string): string {
  const { ended, hops, error } = chain;
  const invalid = hops.find(({ output }) => output.status === "invalid");
  if (invalid?.output.status === "invalid") {
    return isForUserAlone(invalid.result) ? NO_DETAILS : invalid.output.message;
  }
  if (ended !== "complete") {
    const why = error?.message ?? `The chain of calls ended early (${ended}).`;
    if (error?.code === "invalid-arguments") return describe(why);
    if (!isWaiting(chain)) return why;
    return `${why} A pipe cannot wait for that here: call the tool directly, outside a pipe.`;
  }
  const failed = hops.find(({ result }) => result.isError);
  if (!failed) return "";
  return (
    quoted(modelText(failed.result)) || "The tool reported an error without any text for the model."
  );
}

/** Returns the problem of a step's arguments, or a general text if they contain content for the user alone. */
function describeDefect(run: Pick<PipeRun, "limits">, turn: ToolTurn, message: string): string {
  return holdsHidden(run, turn) ? NO_DETAILS : message;
}

/** Returns true if the arguments of a step would be different without content for the user alone. */
function holdsHidden({ limits }: Pick<PipeRun, "limits">, { step, variables }: ToolTurn): boolean {
  const make = (own: Variables) => makeArguments({ limits }, { step, variables: own });
  const seen = readCovered(variables, make);
  if (seen === undefined) return false;
  try {
    return canonicalJson(seen) !== canonicalJson(make(variables));
  } catch {
    return true; // A call that waited may continue even if its arguments can no longer be read.
  }
}

const NO_DETAILS =
  "A value is invalid. It contains content for the user alone, so this message must not say what is wrong.";
