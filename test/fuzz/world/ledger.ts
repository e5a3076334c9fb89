import { canonicalJson, type JsonObject } from "@toolrail/core/json";

/** A call as the servers of a world saw it. */
export interface MadeCall {
  /** `server.tool`. */
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** What happened in a world, over all processes of a run: kept by its servers, its policy and its person. */
export interface Ledger {
  readonly calls: MadeCall[];
  /** Calls that `authorize` was asked about. */
  readonly authorized: string[];
  /** Calls that a person was asked about and said yes or no to. */
  readonly approved: string[];
  readonly rejected: string[];
  /** How often the process was lost. */
  crashes: number;
  /** How often a run went on after a pause or a crash. */
  resumes: number;
  /** True from the moment at which the run was aborted, or had come to its end. */
  isAborted: boolean;
  isOver: boolean;
  /** What no server may see: calls after an abort, and after they were known to be finished. */
  readonly offences: string[];
  /** Calls whose end has been written to a checkpoint. */
  readonly finished: Set<string>;
}

export function createLedger(): Ledger {
  return {
    calls: [],
    authorized: [],
    approved: [],
    rejected: [],
    crashes: 0,
    resumes: 0,
    isAborted: false,
    isOver: false,
    offences: [],
    finished: new Set(),
  };
}

/** Equal for equal calls. In a pipe and in a chain each call has a text of its own. */
export function callKey({ tool, arguments: args }: MadeCall): string {
  return `${tool} ${canonicalJson(args)}`;
}

/** The calls as keys, sorted: who ran at the same time has no order. */
export function callKeys({ calls }: Ledger): string[] {
  return calls.map(callKey).sort();
}
