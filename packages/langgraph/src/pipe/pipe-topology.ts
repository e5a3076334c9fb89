import {
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
  StateSchema,
} from "@langchain/langgraph";
import { engineOf, notify } from "@toolrail/core/adapter";
import { sha256 } from "@toolrail/core/json";
import { checkPipe, reportPipe } from "@toolrail/core/pipe";
import { readOutcome } from "./pipe-results.ts";
import { type PipeEngine, shareRun, toNode, type Work } from "./pipe-run.ts";
import {
  Input,
  Output,
  type PipeState,
  readStep,
  State,
  type StoredRun,
  type StoredStep,
  toChannels,
} from "./pipe-state.ts";
import {
  allSteps,
  type PlacedGroup,
  type PlacedNested,
  type PlacedPipe,
  type PlacedTool,
} from "./place-steps.ts";
import {
  beginGroup,
  beginNested,
  endGroup,
  type NestedGraph,
  runNested,
  runTool,
} from "./step-nodes.ts";

/** The used part of `StateGraph`, for node names that the compiler does not know. */
interface OpenGraph {
  addNode(name: string, node: unknown, options?: object): OpenGraph;
  addEdge(from: string, to: string): OpenGraph;
  addConditionalEdges(
    from: string,
    route: (state: PipeState) => string | readonly string[],
    to: readonly string[] | Readonly<Record<string, string>>,
  ): OpenGraph;
  compile(options?: object): NestedGraph;
}

const BEGIN = "begin";
const FINISH = "finish";

/** Builds the graph of a whole pipe, from its input to its output. */
export function toGraph(engine: PipeEngine): OpenGraph {
  const { pipe } = engine;
  const state = new StateSchema({ ...State.fields, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  graph.addNode(BEGIN, startRun(engine)).addEdge(START, BEGIN);
  graph.addEdge(BEGIN, findFirst(pipe, FINISH));
  addSteps(graph, { engine, pipe, end: FINISH });
  return graph.addNode(FINISH, toNode(engine, pipe, finishRun(engine))).addEdge(FINISH, END);
}

/** Clears the channels of an earlier run and begins a new one. Throws `invalid-pipe` for an unknown var. */
function startRun(engine: PipeEngine) {
  const { host, pipe } = engine;
  const cleared = Object.fromEntries(Object.keys(toChannels(pipe)).map((name) => [name, null]));
  return async ({ vars }: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const given = vars ?? {};
    const verdict = checkPipe(host, { spec: pipe, vars: given });
    if (!verdict.ok) throw verdict.error;
    const pipeId = runIdAt(config.configurable?.checkpoint_ns);
    const run = shareRun(engine, config, pipeId);
    reportPipe(run, { steps: pipe.stepCount });
    const stored = { pipeId: run.pipeId, spec: engine.version, startMs: run.now(), given };
    return { ...cleared, vars: null, run: stored };
  };
}

/**
 * Derives the id of a run from the namespace of its first task: two workers that begin from one checkpoint make one
 * run. Inside another graph it comes from the task there, since each worker writes its own first checkpoint.
 */
function runIdAt(namespace = ""): string | undefined {
  const [innermost, ...around] = namespace.split("|").reverse();
  return around.some((part) => part.includes(":"))
    ? sha256(around.join("|"))
    : innermost?.split(":")[1];
}

function finishRun({ host, pipe, onResult }: PipeEngine): Work {
  return async (context) => {
    const { run, state } = context;
    const end = readOutcome(context);
    const endMs = run.now();
    const { startMs = endMs } = (state.run ?? {}) as Partial<StoredRun>;
    reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs: endMs - startMs });
    await notify({ onResult }, end, engineOf(host));
    return { result_for_model: undefined, ...end };
  };
}

/** Builds the graph of a nested pipe. The result of its step follows from the graph's channels. */
function toNested(engine: PipeEngine, step: PlacedNested): NestedGraph {
  const { pipe } = step;
  const graph = new StateGraph(new StateSchema(toChannels(pipe))) as unknown as OpenGraph;
  graph.addNode(BEGIN, toNode(engine, pipe, beginNested(step))).addEdge(START, BEGIN);
  addSteps(graph, { engine, pipe, end: END });
  const first = findFirst(pipe, END);
  /** A nested pipe that may not run has no next node. */
  const isOver = ({ run }: PipeState) => (run as StoredStep | null)?.type === "ended";
  return graph
    .addConditionalEdges(BEGIN, (state) => (isOver(state) ? [] : first), [first])
    .compile();
}

const findFirst = ({ steps }: PlacedPipe, end: string) => steps[0]?.node ?? end;

interface Adding {
  readonly engine: PipeEngine;
  readonly pipe: PlacedPipe;
  /** The node after the last step, and after a failed one. */
  readonly end: string;
}

/** Adds the nodes and edges of all steps. A group leads to its parts, and these lead to the node that joins them. */
function addSteps(graph: OpenGraph, { engine, pipe, end }: Adding): void {
  const add = (name: string, work: Work, subgraphs: readonly NestedGraph[] = []) =>
    graph.addNode(name, toNode(engine, pipe, work), { subgraphs });
  const addOne = (step: PlacedTool | PlacedNested) => {
    if (step.kind === "tool") return add(step.node, runTool(step));
    const nested = toNested(engine, step);
    return add(step.node, runNested(step, nested), [nested]);
  };
  const addGroup = (step: PlacedGroup) => {
    add(step.node, beginGroup(step));
    const parts = allSteps([step]).filter((part) => part.kind !== "parallel");
    for (const part of parts) addOne(part).addEdge(part.node, step.join);
    const route = (state: PipeState) => {
      const open = findOpenParts(state, step);
      return open.length > 0 ? open : step.join;
    };
    graph.addConditionalEdges(step.node, route, [...parts.map(({ node }) => node), step.join]);
    add(step.join, endGroup(step));
  };
  for (const [index, step] of pipe.steps.entries()) {
    if (step.kind === "parallel") addGroup(step);
    else addOne(step);
    const last = step.kind === "parallel" ? step.join : step.node;
    const next = pipe.steps[index + 1]?.node ?? end;
    if (pipe.continueOnError || next === end) {
      graph.addEdge(last, next);
      continue;
    }
    const route = (state: PipeState) => {
      const stored = readStep(state, step);
      return stored?.type === "ended" && stored.error === "" ? next : FAILED;
    };
    graph.addConditionalEdges(last, route, { [next]: next, [FAILED]: end });
  }
}

/** The label of the way that a failure takes. No node has this name. */
const FAILED = "on failure";

/** Lists the nodes of a group that may run. A group that may not begin has none. */
function findOpenParts(state: PipeState, group: PlacedGroup): string[] {
  if (readStep(state, group)?.type !== "begun") return [];
  return group.children.flatMap((part) =>
    part.kind === "parallel" ? findOpenParts(state, part) : part.node,
  );
}
