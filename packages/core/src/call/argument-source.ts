import type { JsonObject } from "../json.ts";
import type { Store } from "./store.ts";
import type { HostTool } from "./tool.ts";

/** Where a part of the arguments of a call came from. It names places and holds no value. */
export interface ArgumentSource {
  /** The part of the arguments: `recipient`, `items.0.to`; empty where it is all of them. */
  readonly path: string;
  /** The server and the tool whose result held it. Of a note, `server` is empty and `tool` says what was read. */
  readonly server: string;
  readonly tool: string;
  /** The call of that result. Absent for a note. */
  readonly callId?: string;
  /** The place in that result, as `structured.rows.0.id`. Absent for a copy, which is found by its value. */
  readonly from?: string;
  /** `copy` was found by its value; the others are exact. */
  readonly how: "reference" | "pipe" | "chain" | "copy";
  /** Only a part of the value came from there, or the call itself was given the value. */
  readonly part?: true;
}

/** What is known of the arguments of a call. */
export interface Provenance {
  readonly sources: readonly ArgumentSource[];
  /** Paths of the arguments that the user has said, word for word. */
  readonly fromUser: readonly string[];
  /** Tools whose results were read before in this scope, as `server.tool`, and what notes say was read. */
  readonly read: readonly string[];
}

/** Something that a model has read in a scope. */
export interface ReadText extends Pick<ArgumentSource, "server" | "tool" | "callId"> {
  readonly scope: string;
  readonly text: string;
  /** What the call was given, as JSON: a tool that repeats it is not its source. */
  readonly asked?: string;
}

/** Knows what was read in each scope, and finds it again in arguments. */
export interface SourceTracker {
  /** Rejects where the store of the host fails: the call is then refused. */
  find(call: {
    readonly scope: string;
    readonly tool: HostTool;
    readonly arguments: JsonObject;
    readonly userText: string | readonly string[];
    /** What is known exactly. */
    readonly exact: readonly ArgumentSource[];
  }): Promise<Provenance>;
  keep(read: ReadText): Promise<void>;
}

/** Makes a host track sources: see `trackSources`. */
export type SourceTracking = (host: { readonly store: Store }) => SourceTracker;
