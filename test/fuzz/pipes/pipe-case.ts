import type { JsonObject } from "@toolrail/core/json";
import type { PipeLimits, PipeResult } from "@toolrail/core/pipe";
import fc from "fast-check";
import type { Ledger } from "../world/ledger.ts";
import { type World, worlds } from "../world/tool-plan.ts";
import { type SpecPlan, specPlans, toSpec } from "./random-specs.ts";

/** A pipe and the world that it runs in. */
export interface PipeCase {
  readonly world: World;
  readonly spec: object;
  readonly limits: Partial<PipeLimits>;
  /** What an application gives in place of vars of the spec. */
  readonly vars: JsonObject;
}

/** What came of a pipe: its result, or the text that refused its spec. */
export interface PipeEnd {
  readonly ledger: Ledger;
  readonly result: PipeResult | undefined;
  readonly refusal?: string;
  /** What the model read of it. */
  readonly reply?: string;
  /** All that the model was given. */
  readonly prompts?: string;
}

const plans = fc.record({
  world: worlds(25),
  plan: specPlans,
  maxParallel: fc.constantFrom(1, 2, 8),
  spareSteps: fc.nat(20),
  vars: fc.constantFrom({}, {}, { n: "given" }, { q: { text: 1, deep: ["${vars.n}"] } }),
});

/** Any pipe in any world. */
export const pipeCases: fc.Arbitrary<PipeCase> = plans.map(
  ({ world, plan, vars, maxParallel, spareSteps }) => ({
    vars,
    world,
    spec: toSpec(plan, world.tools),
    // Which step of a group meets the limit of steps first is left to chance.
    limits: { maxParallel, maxSteps: hasGroup(plan) ? 2_000 : countIn(plan) + spareSteps },
  }),
);

function hasGroup({ steps }: SpecPlan): boolean {
  return steps.some(({ parallel, pipe }) => parallel || (pipe && hasGroup(pipe)));
}

function countIn({ steps }: SpecPlan): number {
  return steps.reduce((count, { pipe }) => count + 1 + (pipe ? countIn(pipe) : 0), 0);
}
