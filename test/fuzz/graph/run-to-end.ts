import { isCommand, MemorySaver } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import type { Ledger } from "../world/ledger.ts";
import { type Answering, answerPause } from "./answer-pause.ts";
import { beginLife, type Crash, type Life } from "./crash.ts";

/** A graph of LangGraph, as far as all kinds of them share it. */
interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
}

export interface GraphRun {
  /** How the person answers where several calls wait. Default: all at once. */
  readonly answering?: Answering;
  /** True sends the last answer once more when all is over, as an impatient person does. */
  readonly answersTwice?: boolean;
  /** When processes are lost. */
  readonly crashes?: readonly Crash[];
  readonly signal?: AbortSignal;
  /** The checkpoints, where the thread has some. */
  readonly shared?: MemorySaver;
}

export interface Making extends GraphRun {
  readonly ledger: Ledger;
  readonly input: object;
  /** Makes the graph and its host in a process. */
  build(life: Life): Promise<{ readonly graph: unknown; readonly host: Host }>;
}

const MOST_TURNS = 200;
const CONFIG = { configurable: { thread_id: "1" }, durability: "sync", recursionLimit: 100 };

/** Runs a graph to its end, in as many processes as it takes: whatever waits is answered, whatever is lost goes on. */
export async function runToEnd({ input: first, ledger, build, ...run }: Making): Promise<object> {
  const { answering = "all", answersTwice = false, crashes = [], signal } = run;
  const { shared = new MemorySaver() } = run;
  const config = { ...CONFIG, ...(signal && { signal }) };
  let input: unknown = first;
  for (let turn = 0, lives = 0; turn < MOST_TURNS; turn++) {
    if (turn > 0) ledger.resumes++;
    // Every pause is answered in another process than the one that asked.
    const life = beginLife({ ledger, shared }, crashes[lives]);
    const { graph, host } = await build(life);
    try {
      const state = (await (graph as Graph).invoke(input, config)) as object;
      if (!life.process.isLost && !("__interrupt__" in state)) {
        if (!answersTwice || !isCommand(input)) return state;
        ledger.isOver = true;
        const again = await build(beginLife({ ledger, shared }, undefined));
        return (await (again.graph as Graph).invoke(input, config)) as object;
      }
      if (!life.process.isLost) input = answerPause(state, { ledger, host, answering });
    } catch (error) {
      if (!life.process.isLost) throw error;
    }
    if (!life.process.isLost) continue;
    lives++;
    input = (await shared.getTuple(CONFIG)) ? null : first;
  }
  throw new Error("The graph does not come to an end.");
}
