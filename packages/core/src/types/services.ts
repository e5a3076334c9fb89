import type { JsonObject } from "@toolrail/json";
import type { ContentBlock } from "../result/content-block.ts";
import type { Hop } from "../result/hop.ts";
import type { KeptFrom } from "../result/used-reference.ts";
import type { ClaimingStore } from "./store.ts";

/** The services that plugins provide to adapters and to each other. Unstable. */
export interface HostServices {
  /** The long results, kept by conversation. */
  readonly kept: KeptResults;
  readonly readTool: ReadTool;
  /** The long hops in the store, for engines that store the results of their steps. */
  readonly hopRows: HopRows;
}

/** The long results of all conversations, by id. */
export interface KeptResults {
  /** The length above which results are kept, in characters of their text for a model. */
  readonly minLength: number;
  /** Returns every part of a text that could be the id of a result. */
  idsIn(text: string): readonly string[];
  /** Returns the parts of a result that addresses can read, by their first keys. */
  partsOf(result: KeptResult): JsonObject;
  /** Returns the result with that id, and counts it as used now. Returns `undefined` if this conversation never had it. */
  find(conversation: string, id: string): Promise<Finding | undefined>;
}

/** The tool that answered with a result, and the result itself unless it was dropped. */
export interface Finding {
  readonly tool: string;
  readonly result: KeptResult | undefined;
}

/** The parts of a result that a model may read. Plain JSON. */
export interface KeptResult extends KeptFrom {
  readonly content: readonly ContentBlock[];
  /** The structured content, or the only text parsed as JSON. */
  readonly structured?: unknown;
}

/** A tool for models that calls no server, in the form that frameworks need. */
export interface ReadTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Returns a text for the model, at most 8,000 characters, which is never kept. Rejects with `callback-failed`. */
  read(
    input: unknown,
    conversation: string | undefined,
  ): Promise<{ text: string; isError: boolean }>;
}

/** A key in the store, and the part of a hop that is stored there. */
export interface HopRow {
  readonly key: string;
  readonly answer: Pick<Hop, "callId"> & Partial<Hop>;
}

/**
 * A hop as a checkpoint stores it. If `rows` is set, only `callId`, `server` and `tool` are valid: the store has the rest.
 */
export interface ShortHop extends Hop {
  readonly rows?: readonly string[];
}

/** The storage of long hops in the store alone. */
export interface HopRows {
  /** The row of each stored result, including results that other workers stored. */
  readonly rows: WeakMap<object, HopRow>;
  /** Stores a long hop and returns a short one. Returns the hop itself if the store fails. */
  put(hop: Hop, conversation: string): Promise<ShortHop>;
  /**
   * Returns the whole hop, and keeps its rows for longer. Rejects with `reference-lost`, or `callback-failed` if the store
   * fails.
   */
  take(hop: ShortHop): Promise<Hop>;
}

/** The store by which calls are made once. */
export interface OnceRule {
  readonly store: ClaimingStore;
}

/** The reader of a hop, which decides if long results are shortened. */
export interface KeepOptions {
  /** The conversation of the model that will read the hop: see `host.call`. Without it, nothing is shortened. */
  readonly conversation?: string | undefined;
  /** False if the model cannot call `read_result`, so that no text mentions it. Default true. */
  readonly canRead?: boolean;
}
