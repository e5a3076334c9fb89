import type { JsonObject } from "@toolrail/json";
import type { ContentBlock } from "../result/content-block.ts";
import type { Hop } from "../result/hop.ts";
import type { KeptFrom } from "../result/used-reference.ts";

/** What plugins give to adapters and to each other. Unstable. */
export interface HostServices {
  /** Long results by conversation. */
  readonly kept: KeptResults;
  /** The tool with which a model reads what was kept of long results. */
  readonly readTool: ReadTool;
  /** Long hops in the store, for engines that write down the results of their steps. */
  readonly hopRows: HopRows;
  /** True if the resources of servers can be read. */
  readonly resources: true;
  /** Records what a model reads without a call. */
  readonly notes: {
    /** The names that notes may have. Absent: any. */
    readonly names: readonly string[] | undefined;
    add(
      text: string,
      read: { readonly from: string; readonly conversation: string },
    ): Promise<void>;
  };
}

/** Long results, found by the conversation and the name that they were kept under. */
export interface KeptResults {
  /** Longer results are kept, in characters of what a model would read of one. */
  readonly minLength: number;
  /** Everything in a text that could be the id of a result. */
  idsIn(text: string): readonly string[];
  /** What addresses read of a result, by their first keys. */
  partsOf(result: KeptResult): JsonObject;
  /** The result with that id, which counts as used now; `undefined` if this conversation never had it. */
  find(conversation: string, id: string): Promise<Finding | undefined>;
}

/** What was kept under an id: the tool that answered so, and the result itself if it is still there. */
export interface Finding {
  readonly tool: string;
  readonly result: KeptResult | undefined;
}

/** What a model may read of a result, as it is kept. Plain JSON. */
export interface KeptResult extends KeptFrom {
  readonly content: readonly ContentBlock[];
  /** The structured content, or the only text parsed as JSON. */
  readonly structured?: unknown;
}

/** A tool that makes no call, in the form that frameworks need. */
export interface ReadTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** What a model reads, at most 8,000 characters; it is never kept itself. Rejects with `callback-failed`. */
  read(
    input: unknown,
    conversation: string | undefined,
  ): Promise<{ text: string; isError: boolean }>;
}

/** A row of the store, and what of a hop lies there. */
export interface HopRow {
  readonly key: string;
  readonly answer: Pick<Hop, "callId"> & Partial<Hop>;
}

/** A hop as it is written down. If it has rows, only its `callId`, `server` and `tool` may be read. */
export interface ShortHop extends Hop {
  readonly rows?: readonly string[];
}

/** Keeps long hops in the store alone. */
export interface HopRows {
  /** Where results lie, including those that were kept for other workers. */
  readonly rows: WeakMap<object, HopRow>;
  /** Puts a long hop there and returns what is left of it; returns the hop itself if the store fails. */
  put(hop: Hop, conversation: string): Promise<ShortHop>;
  /** The whole hop, whose rows are kept anew. Rejects with `reference-lost`, and `callback-failed` if the store fails. */
  take(hop: ShortHop): Promise<Hop>;
}
