import type { ApprovalDecision, InputDecision } from "../chain/resume-chain.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { StepEnded } from "./step-stage.ts";

/** What the steps of a run have come to, by their paths. A run that waits is begun again with it, and repeats no call. */
export type PipeJournal = Map<string, JournalEntry>;

export interface JournalEntry {
  readonly startMs: number;
  /** Of a tool step that waits for a person. */
  readonly chain?: ChainResult;
  /** Of a step that is over. */
  readonly end?: StepEnded;
}

/** What persons have said to steps that wait, by their paths. */
export type PipeAnswers = { readonly [path: string]: ApprovalDecision | InputDecision };

/** The chains that wait, by the paths of their steps. */
export function waitingChains(journal: Iterable<readonly [string, JournalEntry]>) {
  return [...journal].flatMap(([path, { chain, end }]) => (chain && !end ? [{ path, chain }] : []));
}
