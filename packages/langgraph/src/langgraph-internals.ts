// All that leans on private parts of LangGraph and LangChain, each with its reason. Seen in @langchain/langgraph 1.4.17 and
// 1.7.3; a new version is tried with the tests of approvals, pipes and streams.
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

/**
 * The `configurable` for a nested graph that one call of a turn has to itself. LangGraph numbers the
 * nested graphs of a task in the order in which they start (`subgraphCounter` in `__pregel_scratchpad`), which
 * may be another one after a pause: a call would then find the checkpoints, and the approval, of another. So
 * the namespace is made of `place`, a text that no other call of the turn has, and no number. And a nested
 * graph that finds `checkpoint_id` takes its finished tasks for unfinished ones.
 */
async function toOwnNamespace(
  { configurable = {} }: LangGraphRunnableConfig,
  place: string,
): Promise<Record<string, unknown>> {
  const { checkpoint_id: _, checkpoint_ns: ns, __pregel_scratchpad: pad, ...rest } = configurable;
  if (typeof ns !== "string" || typeof pad !== "object" || pad === null) return rest;
  return {
    ...rest,
    checkpoint_ns: `${ns}|toolrail:${await sha256(place)}`,
    __pregel_scratchpad: Object.create(pad, { subgraphCounter: { value: 0, writable: true } }),
  };
}

/** A step that is a graph of its own, and the run that it is of where it stands in the graph of the whole pipe. */
interface NestedPlace {
  readonly node: string;
  readonly path: string;
  readonly pipeId: string | undefined;
}

/**
 * The config of a nested graph, in a namespace that follows from the place of its step in the run. LangGraph's own goes by the
 * id of the task, and a client that updates the state makes another task of the same step. What stands there is of this very
 * step, so it goes on with that: LangGraph would begin anew, but for the first turn after a pause.
 */
export async function inNamespaceOf(
  config: LangGraphRunnableConfig,
  place: NestedPlace,
): Promise<LangGraphRunnableConfig> {
  const { __pregel_scratchpad: pad, ...rest } = config.configurable ?? {};
  if (typeof rest.checkpoint_ns !== "string" || typeof pad !== "object" || pad === null)
    return config;
  return {
    ...config,
    configurable: {
      ...rest,
      checkpoint_ns: await namespaceOf(rest.checkpoint_ns, place),
      __pregel_resuming: true,
      __pregel_scratchpad: Object.create(pad, { subgraphCounter: { value: 0, writable: true } }),
    },
  };
}

async function namespaceOf(ns: string, { node, path, pipeId = "" }: NestedPlace): Promise<string> {
  const around = ns.split("|").slice(0, -1);
  const id = await sha256(JSON.stringify([...around, pipeId, path]));
  return [...around, `${node}:${id.slice(0, 32)}`].join("|");
}

interface Stateful {
  getState(config: LangGraphRunnableConfig, options?: object): Promise<unknown>;
}

/**
 * Lets LangGraph find the state of a nested graph, which it looks for by the id of the task, by the place of its step. The run
 * stands in the graph around it, where that is the graph of the whole pipe.
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
    const checkpoint_ns = await namespaceOf(String(ns), { ...step, pipeId });
    const own = { ...config, configurable: { ...config.configurable, checkpoint_ns } };
    return getState.call(graph, own, options);
  };
  return Object.assign(graph, { getState: find });
}

/** Invokes a graph that one call of a turn has to itself, by its place in the turn. */
export async function invokeInCall<Value>(
  graph: { invoke(input: object, config: LangGraphRunnableConfig): Promise<Value> },
  { config, place }: { readonly config: LangGraphRunnableConfig; readonly place: string },
): Promise<Value> {
  const { signal, context } = config;
  const configurable = await toOwnNamespace(config, place);
  const own = { configurable, ...(context && { context }), ...(signal && { signal }) };
  return besideOthers(config, () => graph.invoke({}, own));
}

/** The calls of one task, and the interrupt that ended it. */
interface Task {
  readonly calls: Set<Promise<unknown>>;
  interrupt?: unknown;
}

const tasks = new WeakMap<object, Task>();

/**
 * Makes a call whose interrupt comes when all other calls of the same task have ended or wait too. LangGraph ends a
 * task with the first interrupt: what another call of a `ToolNode` was still doing would be done again. A call
 * that comes after the interrupt is not begun.
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
 * Takes an answer without an interrupt's id away from this task, unless the person was asked about this one call
 * alone. LangGraph hands such an answer to every task that waits, and to calls that were not asked about: those
 * that waited beside the first in one `ToolNode`, and those that were edited since. What was asked stands in the
 * pending writes of the outermost checkpoint: that of tasks which another worker has ended counts no more, but for
 * this task itself. Returns how to give it back, for what this task asks about later.
 */
export async function dropOthersAnswer(call: string): Promise<() => void> {
  const { __pregel_scratchpad, checkpoint_ns = "" } = getConfig()?.configurable ?? {};
  // Its `nullResume` is the answer that was given without an id.
  const pad: { nullResume?: unknown } = __pregel_scratchpad ?? {};
  const given = pad.nullResume;
  if (given === undefined) return () => {};
  const own = String(checkpoint_ns).split("|", 1)[0]?.split(":").at(-1);
  const { writes } = await readOutermost();
  const isOver = new Set(writes.flatMap(([task, channel]) => (PAUSE.has(channel) ? [] : task)));
  const asked = writes
    .filter(([task, channel]) => channel === INTERRUPT && (task === own || !isOver.has(task)))
    .flatMap(([, , interrupts]) => interrupts as readonly { readonly value?: unknown }[]);
  const [only, ...others] = asked.map(({ value }) => value);
  const isOwn = others.length === 0 && isJsonObject(only) && only.call === call;
  if (isOwn && given !== null) return () => {};
  pad.nullResume = undefined;
  return () => {
    pad.nullResume = given;
  };
}

/** Forgets an answer without an interrupt's id, which LangGraph would hand to the next call that waits. */
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
 * The state of the graph that a node stands in. A `Send` hands its node nothing else than what was sent, and what is sent is
 * written to the checkpoint once more; the function that edges read the state with is in the config of each task.
 */
export function readState(
  { configurable }: LangGraphRunnableConfig,
  channels: readonly string[],
): Record<string, unknown> {
  return configurable?.__pregel_read?.(channels) ?? {};
}

/** Throws where another worker is making the call that a run has come to: nothing is to be kept of such a run. */
export function throwClaimed(error: Pick<ToolrailError, "code" | "message"> | undefined): void {
  if (error?.code === "claimed-elsewhere") throw new ToolrailError(error.code, error.message);
}

/**
 * Ends the run with that error; throws any other. Tools nodes make a message of what a tool throws, as if the call had
 * failed, and pass on what it returns: this command throws when LangGraph reads its update.
 */
export function endClaimed(error: unknown): Command {
  if (!ToolrailError.isInstance(error, "claimed-elsewhere")) throw error;
  const get = () => {
    throw error;
  };
  return Object.defineProperty(new Command({}), "update", { get, enumerable: false });
}

/**
 * Passes a message on to `streamMode: "messages"`. LangGraph streams what a node returns as it is, but
 * not what stands in a `Command`, nor what a middleware answers for a model. Its handler of that name leaves out
 * the second of two messages with one id, so that nothing comes twice where LangGraph should learn to.
 */
export async function streamMessage(
  message: BaseMessage,
  { callbacks, metadata }: LangGraphRunnableConfig = getConfig() ?? {},
): Promise<void> {
  const handlers = Array.isArray(callbacks) ? callbacks : (callbacks?.handlers ?? []);
  const runId = crypto.randomUUID();
  for (const handler of handlers) {
    if (!("name" in handler) || handler.name !== "StreamMessagesHandler") continue;
    // It streams what a run with the name of its node ends with.
    const name = metadata?.langgraph_node as string | undefined;
    await handler.handleChainStart?.(NODE, {}, runId, undefined, [], metadata, undefined, name);
    await handler.handleChainEnd?.({ messages: [message] }, runId);
  }
}

const NODE = { lc: 1, type: "not_implemented" as const, id: [] };
