// All uses of private parts of LangGraph and LangChain, each with its reason. They work in @langchain/langgraph 1.4.17 and
// 1.7.3. The tests of approvals, pipes and streams check a new version.
import type { BaseMessage } from "@langchain/core/messages";
import {
  type BaseCheckpointSaver,
  Command,
  getConfig,
  isGraphBubbleUp,
  type LangGraphRunnableConfig,
} from "@langchain/langgraph";
import { ToolrailError } from "@toolrail/core";
import { isJsonObject, sha256 } from "@toolrail/json";

type Configurable = NonNullable<LangGraphRunnableConfig["configurable"]>;

/**
 * Returns the `configurable` of a nested graph whose namespace has no number. LangGraph numbers the nested graphs of a
 * task in the order in which they start (`subgraphCounter` in `__pregel_scratchpad`). After a pause that order may
 * differ, and a graph would find the checkpoints and the approval of another.
 */
async function inNamespace(
  { checkpoint_ns: around, __pregel_scratchpad: pad, ...rest }: Configurable,
  toNamespace: (around: string) => Promise<string>,
): Promise<Configurable> {
  if (typeof around !== "string" || typeof pad !== "object" || pad === null) return rest;
  return {
    ...rest,
    checkpoint_ns: await toNamespace(around),
    __pregel_scratchpad: Object.create(pad, { subgraphCounter: { value: 0, writable: true } }),
  };
}

/** A step with its own graph, and the id of the run if the step is in the graph of the whole pipe. */
interface NestedPlace {
  readonly node: string;
  readonly path: string;
  readonly pipeId: string | undefined;
}

/**
 * Returns the config of a nested graph, in a namespace that follows from the path of its step in the run. LangGraph's
 * own namespace has the id of the task, and a client that updates the state makes LangGraph create another task for
 * the same step. The checkpoints in this namespace belong to this step, so the graph continues from them. LangGraph
 * would start again, except in the first turn after a pause.
 */
export async function nestInPlace(
  config: LangGraphRunnableConfig,
  place: NestedPlace,
): Promise<LangGraphRunnableConfig> {
  const nested = { ...config.configurable, __pregel_resuming: true };
  return { ...config, configurable: await inNamespace(nested, (ns) => toNamespace(ns, place)) };
}

async function toNamespace(ns: string, { node, path, pipeId = "" }: NestedPlace): Promise<string> {
  const around = ns.split("|").slice(0, -1);
  const id = await sha256(JSON.stringify([...around, pipeId, path]));
  return [...around, `${node}:${id.slice(0, 32)}`].join("|");
}

interface Stateful {
  getState(config: LangGraphRunnableConfig, options?: object): Promise<unknown>;
}

/**
 * Lets LangGraph find the state of a nested graph by the path of its step. LangGraph itself looks for it by the id of
 * the task. The id of the run is in the state of the whole pipe's graph.
 */
export function findByPlace<Graph extends Stateful>(
  graph: Graph,
  { isTop, ...step }: Omit<NestedPlace, "pipeId"> & { readonly isTop: boolean },
): Graph {
  const { getState } = graph;
  const find: Stateful["getState"] = async (config, options) => {
    const { checkpoint_ns: ns = "", thread_id, __pregel_checkpointer } = config.configurable ?? {};
    const saver = __pregel_checkpointer as BaseCheckpointSaver | undefined;
    const around = String(ns).split("|").slice(0, -1).join("|");
    const tuple =
      isTop && (await saver?.getTuple({ configurable: { thread_id, checkpoint_ns: around } }));
    const run = tuple ? tuple.checkpoint.channel_values.run : undefined;
    const pipeId = isJsonObject(run) ? String(run.pipeId) : undefined;
    const checkpoint_ns = await toNamespace(String(ns), { ...step, pipeId });
    const nestedConfig = { ...config, configurable: { ...config.configurable, checkpoint_ns } };
    return getState.call(graph, nestedConfig, options);
  };
  return Object.assign(graph, { getState: find });
}

/**
 * Invokes a graph that belongs to one call of a turn. `place` is a text that no other call of the turn has. A nested
 * graph with a `checkpoint_id` would run its finished tasks again.
 */
export async function invokeInCall<Value>(
  graph: { invoke(input: object, config: LangGraphRunnableConfig): Promise<Value> },
  { config, place }: { readonly config: LangGraphRunnableConfig; readonly place: string },
): Promise<Value> {
  const { signal, context } = config;
  const { checkpoint_id: _, ...around } = config.configurable ?? {};
  const configurable = await inNamespace(
    around,
    async (ns) => `${ns}|toolrail:${await sha256(place)}`,
  );
  const nestedConfig = { configurable, ...(context && { context }), ...(signal && { signal }) };
  return besideOthers(config, () => graph.invoke({}, nestedConfig));
}

/** Returns true if the graph around a call can wait for a person. */
export function hasCheckpointer({ configurable }: LangGraphRunnableConfig): boolean {
  return Boolean(configurable?.__pregel_checkpointer);
}

/** The calls of one task, and the interrupt that ended it. */
interface Task {
  readonly calls: Set<Promise<unknown>>;
  interrupt?: unknown;
}

const tasks = new WeakMap<object, Task>();

/**
 * Makes a call, and delays its interrupt until all other calls of the same task have ended or wait too. LangGraph
 * ends a task at the first interrupt, and would run unfinished calls of a `ToolNode` again. A call that starts after
 * the interrupt is not made.
 */
async function besideOthers<Value>(
  { configurable }: LangGraphRunnableConfig,
  make: () => Promise<Value>,
): Promise<Value> {
  const pad: object | undefined = configurable?.__pregel_scratchpad;
  if (!pad) return make();
  const task: Task = tasks.get(pad) ?? { calls: new Set() };
  tasks.set(pad, task);
  if (task.interrupt) throw task.interrupt;
  const call = make();
  task.calls.add(call);
  try {
    return await call;
  } catch (error) {
    if (!isGraphBubbleUp(error)) throw error;
    await Promise.allSettled(task.calls);
    task.interrupt = error;
    throw error;
  }
}

/**
 * Removes an answer without an interrupt's id from this task, unless the person was asked only about this call.
 * LangGraph passes such an answer to every task that waits, also to calls that were not asked about: those that
 * waited beside the first in one `ToolNode`, and those that were edited since. The pending writes of the outermost
 * checkpoint have the requests. Requests of tasks that another worker has ended do not count, except those of this
 * task. Returns a function that restores the answer for later requests of this task.
 */
export async function dropOthersAnswer(call: string): Promise<() => void> {
  const { __pregel_scratchpad, checkpoint_ns = "" } = getConfig()?.configurable ?? {};
  // `nullResume` is the answer that was given without an id.
  const pad: { nullResume?: unknown } = __pregel_scratchpad ?? {};
  const given = pad.nullResume;
  if (given === undefined) return () => {};
  const thisTask = String(checkpoint_ns).split("|", 1)[0]?.split(":").at(-1);
  const { writes } = await readOutermost();
  const isOver = new Set(writes.flatMap(([task, channel]) => (PAUSE.has(channel) ? [] : task)));
  const asked = writes
    .filter(([task, channel]) => channel === INTERRUPT && (task === thisTask || !isOver.has(task)))
    .flatMap(([, , interrupts]) => interrupts as readonly { readonly value?: unknown }[]);
  const [only, ...others] = asked.map(({ value }) => value);
  const isOwn = others.length === 0 && isJsonObject(only) && only.call === call;
  if (isOwn && given !== null) return () => {};
  pad.nullResume = undefined;
  return () => {
    pad.nullResume = given;
  };
}

/** Deletes an answer without an interrupt's id, which LangGraph would pass to the next call that waits. */
export async function forgetAnswer(): Promise<void> {
  const { saver, outermost, writes } = await readOutermost();
  const isKept = writes.some(([task, channel]) => task === NO_TASK && channel === RESUME);
  if (isKept) await saver?.putWrites(outermost, [[RESUME, null]], NO_TASK);
}

async function readOutermost() {
  const { configurable = {} } = getConfig() ?? {};
  const { thread_id, checkpoint_map, __pregel_checkpointer } = configurable;
  const saver = __pregel_checkpointer as BaseCheckpointSaver | undefined;
  const outermost = {
    configurable: { thread_id, checkpoint_ns: "", checkpoint_id: checkpoint_map?.[""] },
  };
  const writes = (await saver?.getTuple(outermost))?.pendingWrites ?? [];
  return { saver, outermost, writes };
}

const INTERRUPT = "__interrupt__";
const RESUME = "__resume__";
const PAUSE: ReadonlySet<string> = new Set([INTERRUPT, RESUME, "__error__"]);
const NO_TASK = "00000000-0000-0000-0000-000000000000";

/**
 * Reads the state of the graph around a node. A node that a `Send` started gets only the data that was sent, and
 * LangGraph writes that data to the checkpoint again. The config of each task has the function that edges read the
 * state with.
 */
export function readState(
  { configurable }: LangGraphRunnableConfig,
  channels: readonly string[],
): Record<string, unknown> {
  return configurable?.__pregel_read?.(channels) ?? {};
}

/** Throws if another worker is making the next call of a run. The state of such a run must not be stored. */
export function throwClaimed(error: Pick<ToolrailError, "code" | "message"> | undefined): void {
  if (error?.code === "claimed-elsewhere") throw new ToolrailError(error.code, error.message);
}

/**
 * Ends the run with this error, and throws any other. Tools nodes turn an error that a tool throws into a message, as
 * if the call had failed, but they pass on its return value. This command throws when LangGraph reads its update.
 */
export function endClaimed(error: unknown): Command {
  if (!ToolrailError.isInstance(error, "claimed-elsewhere")) throw error;
  const get = () => {
    throw error;
  };
  return Object.defineProperty(new Command({}), "update", { get, enumerable: false });
}

/**
 * Sends a message to `streamMode: "messages"`. LangGraph streams the return value of a node, but no message inside a
 * `Command` and no answer that a middleware gives for a model. If a later version of LangGraph streams them, nothing
 * appears twice: its handler drops the second message with one id.
 */
export async function streamMessage(
  message: BaseMessage,
  { callbacks, metadata }: LangGraphRunnableConfig = getConfig() ?? {},
): Promise<void> {
  const handlers = Array.isArray(callbacks) ? callbacks : (callbacks?.handlers ?? []);
  const runId = crypto.randomUUID();
  for (const handler of handlers) {
    if (!("name" in handler) || handler.name !== "StreamMessagesHandler") continue;
    // The handler streams the output of a run that has the name of its node.
    const name = metadata?.langgraph_node as string | undefined;
    await handler.handleChainStart?.(NODE, {}, runId, undefined, [], metadata, undefined, name);
    await handler.handleChainEnd?.({ messages: [message] }, runId);
  }
}

const NODE = { lc: 1, type: "not_implemented" as const, id: [] };
