import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { isJsonObject, type StepResult, ToolrailError } from "@toolrail/core";
import type { Kept, Node, PipeState } from "./pipe-state.ts";

/** A place for results that are too large for checkpoints. */
export interface LargeValues {
  /** Results whose JSON text has at least this many characters go there. */
  readonly minLength: number;
  /** Keeps a JSON text and says under which key. */
  put(json: string): Promise<string>;
  /** The text of a key, also in another process. What it throws ends the run, which may be resumed. */
  get(key: string): Promise<string>;
}

/** Where the large values of one graph go. */
export interface LargeValueStore {
  readonly largeValues: LargeValues | undefined;
  /** Results of each invocation that were stored or loaded already, by their keys. */
  readonly loaded: WeakMap<object, Map<string, StepResult>>;
}

/** The same node, which sees large results whole and leaves their keys in the channels. */
export function keepingLarge(store: LargeValueStore, node: Node): Node {
  const { largeValues } = store;
  if (!largeValues) return node;
  return async (state, config) => {
    const loaded = loadedIn(store, config);
    const whole = await mapKept(state, (kept) => load(kept, largeValues, loaded));
    const update = await node(whole, config);
    return mapKept(update, (kept) => put(kept, largeValues, loaded));
  };
}

function loadedIn({ loaded }: LargeValueStore, config: LangGraphRunnableConfig) {
  const key = config.control ?? config;
  const results = loaded.get(key) ?? new Map<string, StepResult>();
  loaded.set(key, results);
  return results;
}

/** Only the channels of steps, which bear the prefix of their names, hold what may be large. */
async function mapKept(
  state: PipeState,
  change: (kept: Kept) => Promise<Kept>,
): Promise<PipeState> {
  const entries = Object.entries(state).map(async ([channel, value]) =>
    channel.startsWith("out_") && isJsonObject(value)
      ? ([channel, await change(value as unknown as Kept)] as const)
      : ([channel, value] as const),
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function load(
  kept: Kept,
  values: LargeValues,
  loaded: Map<string, StepResult>,
): Promise<Kept> {
  if (kept.type !== "stored") return kept;
  const { ok, key } = kept;
  const result = loaded.get(key) ?? parse(await values.get(key), key);
  loaded.set(key, result);
  return { type: "result", ok, result };
}

function parse(json: unknown, key: string): StepResult {
  if (typeof json === "string") return JSON.parse(json) as StepResult;
  throw new ToolrailError("callback-failed", `largeValues.get found nothing under "${key}".`);
}

async function put(
  kept: Kept,
  values: LargeValues,
  loaded: Map<string, StepResult>,
): Promise<Kept> {
  if (kept.type !== "result") return kept;
  const json = JSON.stringify(kept.result);
  if (json.length < values.minLength) return kept;
  const key = await values.put(json);
  loaded.set(key, kept.result);
  return { type: "stored", ok: kept.ok, key };
}
