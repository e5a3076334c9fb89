import type { Costs, MeteredModel } from "./model.ts";
import { runBank } from "./run-bank.ts";
import { runHops } from "./run-hops.ts";
import { runReferences } from "./run-references.ts";

/** One thing that a real model was asked to do, and what it did. */
export interface Finding extends Costs {
  readonly what: string;
  readonly outcome: string;
}

export interface Story {
  readonly about: string;
  /** An estimate for one run, with room for mistakes: twice what a model needs that makes none. */
  readonly estimate: Costs;
  run(model: MeteredModel): Promise<readonly Finding[]>;
}

export const STORIES: Readonly<Record<string, Story>> = {
  bank: {
    about: "three sentences to a bank, with chains and relayed",
    estimate: { modelCalls: 34, tokens: 36_000 },
    run: runBank,
  },
  hops: {
    about: "a chain in one call: does the model call again what was called for it?",
    estimate: { modelCalls: 12, tokens: 8_000 },
    run: runHops,
  },
  references: {
    about: "a page of 10 KB through three tools: relayed, as a pipe, by reference",
    estimate: { modelCalls: 20, tokens: 55_000 },
    run: runReferences,
  },
};
