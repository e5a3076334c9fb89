import type { ChainEnd } from "@toolrail/core";
import fc from "fast-check";
import type { Ledger, MadeCall } from "../world/ledger.ts";
import { idOf, type World, worlds } from "../world/tool-plan.ts";

/** The calls of one turn of a model, and the world that they are made in. */
export interface ChainCase {
  readonly world: World;
  readonly starts: readonly Start[];
}

/** A call of the model, with arguments of its own, which its hops carry on. */
export interface Start extends MadeCall {
  /** The id under which the model makes it. */
  readonly id: string;
}

/** What came of one of the calls. */
export interface EndedChain {
  /** `undefined` where nobody tells. */
  readonly ended: ChainEnd | undefined;
  /** What the model read, without what is told apart by frameworks. */
  readonly read: string;
  readonly isError: boolean;
}

/** What came of all of them, in their order. */
export interface ChainsEnd {
  readonly ledger: Ledger;
  readonly chains: readonly EndedChain[];
  /** All that a model was given. */
  readonly prompts?: string;
}

/** Any one to three calls of tools that a model is offered. */
export const chainCases: fc.Arbitrary<ChainCase> = fc
  .record({
    world: worlds(75),
    picks: fc.array(fc.nat(99), { minLength: 1, maxLength: 3 }),
  })
  .map(({ world, picks }) => {
    const offered = world.tools.filter(({ place }) => place === "offered");
    const starts = picks.flatMap((pick, at) => {
      const plan = offered[pick % Math.max(offered.length, 1)];
      const id = `call-${at + 1}`;
      return plan ? [{ id, tool: idOf(plan), arguments: { at: id } }] : [];
    });
    return { world, starts };
  })
  .filter(({ starts }) => starts.length > 0);

/** The same calls once more, with the same ids and with other arguments: models repeat their ids. */
export function askedAgain({ world, starts }: ChainCase): ChainCase {
  return {
    world,
    starts: starts.map((start) => ({ ...start, arguments: { at: `${start.id}'` } })),
  };
}
