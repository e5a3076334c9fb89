import {
  Annotation,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { notify, reportPipe, sha256 } from "@toolrail/core/adapter";
import { checkPipe } from "@toolrail/core/pipe";
import { addEdges, type Ends, type Making, type OpenGraph } from "./pipe-edges.ts";
import { type PipeEngine, shareRun } from "./pipe-engine.ts";
import { toNode, type Work } from "./pipe-node.ts";
import { outcomeOf } from "./pipe-results.ts";
import { sealUpdate } from "./pipe-seals.ts";
import { Input, Output, type PipeState, State, toChannels } from "./pipe-state.ts";
import {
  allSteps,
  nodesOf,
  type PlacedNested,
  type PlacedPipe,
  type PlacedStep,
  placeItems,
} from "./place-steps.ts";
import type { Nest, NestedGraph } from "./run-nested.ts";
import { runItem, runStep } from "./run-step.ts";

const BEGIN = "begin";
const FINISH = "finish";

/** The graph of a pipe as a whole: its input, its steps and its output. */
export function toGraph(engine: PipeEngine, { isDrawn }: Pick<Making, "isDrawn"> = {}): OpenGraph {
  const { pipe } = engine;
  const run = Annotation<unknown>;
  const state = Annotation.Root({ ...State.spec, run, ...toChannels(pipe) });
  const graph = new StateGraph({ state, input: Input, output: Output }) as unknown as OpenGraph;
  graph.addNode(BEGIN, startNode(engine)).addEdge(START, BEGIN);
  addSteps({ engine, pipe, graph, isDrawn }, { from: BEGIN, end: FINISH });
  graph.addNode(FINISH, toNode(engine, { pipe, work: finish(engine) })).addEdge(FINISH, END);
  return graph;
}

/** Takes the input and clears what an earlier run has left. Throws `invalid-pipe` for a var that is not in the spec. */
function startNode(engine: PipeEngine) {
  const { host, pipe } = engine;
  const cleared = Object.fromEntries(Object.keys(toChannels(pipe)).map((name) => [name, null]));
  return async ({ vars }: PipeState, config: LangGraphRunnableConfig): Promise<PipeState> => {
    const { control, configurable } = config;
    const given = vars ?? {};
    const verdict = checkPipe(host, { spec: pipe, vars: given });
    if (!verdict.ok) throw verdict.error;
    const pipeId = await runIdAt(configurable?.checkpoint_ns);
    const shared = shareRun(engine, { control, pipeId });
    const { run } = shared;
    reportPipe(run, { steps: pipe.stepCount });
    const state = {
      ...cleared,
      vars: null,
      run: { pipeId: run.pipeId, spec: await engine.version, startMs: run.now(), given },
    };
    return sealUpdate({ pipe, state, shared, config });
  };
}

/**
 * The id of a run by the namespace of its first task: two workers that begin from one checkpoint make one run of it. Inside
 * another graph it goes by the task there, since each worker writes a first checkpoint of its own for the pipe.
 */
async function runIdAt(namespace = ""): Promise<string | undefined> {
  const [own, ...around] = namespace.split("|").reverse();
  return around.some((part) => part.includes(":")) ? sha256(around.join("|")) : own?.split(":")[1];
}

/** Ends a run with the output of the contract. */
function finish({ pipe, onResult }: PipeEngine): Work {
  return async (context) => {
    const { run, state } = context;
    const end = outcomeOf(context);
    const endMs = run.now();
    const elapsedMs = endMs - (state.run?.startMs ?? endMs);
    reportPipe(run, { steps: pipe.stepCount, ok: end.ok, elapsedMs });
    await notify(onResult, end);
    return { result_for_model: undefined, ...end };
  };
}

/** The graph of a nested pipe: its steps alone. What it comes to follows from their channels. */
function toNested({ engine, isDrawn }: Making, { pipe }: PlacedNested): NestedGraph {
  const graph = new StateGraph(Annotation.Root(toChannels(pipe))) as unknown as OpenGraph;
  addSteps({ engine, pipe, graph, isDrawn }, { from: START, end: END });
  return showConditions(graph.compile(), pipe);
}

/** The graph of a pipe as it is drawn. */
export function toPicture(engine: PipeEngine): NestedGraph {
  return showConditions(toGraph(engine, { isDrawn: true }).compile(), engine.pipe);
}

/** Lets the picture of a graph say which of its steps have a condition. */
function showConditions(graph: NestedGraph, { steps }: PlacedPipe): NestedGraph {
  const draw = graph.getGraphAsync.bind(graph);
  const conditional = allSteps(steps).filter(({ when }) => when !== undefined);
  return Object.assign(graph, {
    async getGraphAsync(config: object) {
      const drawn = await draw(config);
      drawn.edges = drawn.edges.map((edge) => {
        // The nodes of a nested graph that is shown begin with the name of its own.
        const [source = "", target] = [edge.source, edge.target].map((id) => id.split(":")[0]);
        const isWhen = (step: PlacedStep) =>
          step.node === target && !nodesOf(step).includes(source);
        return conditional.some(isWhen) ? { ...edge, data: "when", conditional: true } : edge;
      });
      return drawn;
    },
  });
}

function addSteps(making: Making, ends: Ends): void {
  for (const step of making.pipe.steps) addNodes(making, step);
  addEdges(making, ends);
}

/** The nodes of a step: its own, and those of what is in it. */
function addNodes(making: Making, step: PlacedStep): void {
  const { engine, pipe, graph } = making;
  const made = new Map<string, NestedGraph>();
  const nest: Nest = (nested) => {
    const known = made.get(nested.path) ?? toNested(making, nested);
    made.set(nested.path, known);
    return known;
  };
  const add = (name: string, { work, shown }: { work: Work; shown: PlacedStep | undefined }) => {
    const subgraphs = shown?.kind === "pipe" ? [nest(shown)] : [];
    graph.addNode(name, toNode(engine, { pipe, work }), { subgraphs });
  };
  add(step.node, { work: runStep(step, nest), shown: step });
  if (step.kind === "parallel") for (const child of step.children) addNodes(making, child);
  if (step.kind !== "for_each") return;
  add(step.item, { work: runItem(step, nest), shown: placeItems(step, 1)[0] });
}
