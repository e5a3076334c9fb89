import fc from "fast-check";
import { idOf, type ToolPlan } from "../world/tool-plan.ts";
import { type Seen, toText, toValue } from "./random-values.ts";

/** A step as data, from which `toSpec` writes the step of a spec. */
export interface StepPlan {
  readonly id: string;
  readonly tool?: number;
  readonly parallel?: readonly StepPlan[];
  readonly pipe?: SpecPlan;
  /** Which values its arguments are: see `toValue`. */
  readonly picks: readonly [number, number];
}

export interface SpecPlan {
  readonly steps: readonly StepPlan[];
  readonly picks: readonly [number, number];
  readonly returns: boolean;
  readonly continue_on_error: boolean;
}

const ids = ["a", "b", "c", "d", "x y", "_x", "a.b", "__start__", "1", "toString", "日本"];
const id = fc.constantFrom(...ids);
const picks = fc.tuple(fc.nat(99), fc.nat(99));
const named = { id, picks };

/** Any spec of a few steps, three levels deep. */
export const { spec: specPlans } = fc.letrec<{ spec: SpecPlan; step: StepPlan; steps: StepPlan[] }>(
  (tie) => ({
    steps: fc.uniqueArray(tie("step"), { minLength: 1, maxLength: 4, selector: (step) => step.id }),
    spec: fc.record({
      steps: tie("steps"),
      picks,
      returns: fc.boolean(),
      continue_on_error: fc.constantFrom(true, true, false),
    }),
    step: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 6, arbitrary: fc.record({ ...named, tool: fc.nat(60) }) },
      { weight: 2, arbitrary: fc.record({ ...named, parallel: tie("steps") }) },
      { weight: 2, arbitrary: fc.record({ ...named, pipe: tie("spec") }) },
    ),
  }),
);

/** Where a list of steps stands. */
interface Around extends Seen {
  readonly tools: readonly ToolPlan[];
  /** The place of the list, which makes the arguments of each step its own. */
  readonly at: string;
}

/** The spec of a plan, with references to steps and vars that are mostly there. */
export function toSpec(plan: SpecPlan, tools: readonly ToolPlan[]): object {
  const q = { text: "tea", deep: [1, { x: "${vars.q}" }] };
  return { vars: { q, n: null }, ...toSteps(plan, { tools, at: "", vars: ["q", "n"] }) };
}

function toSteps(plan: SpecPlan, around: Omit<Around, "before">): object {
  const { steps, picks: pair, returns, continue_on_error } = plan;
  const written = steps.map((step, at) => toStep(step, { ...around, before: steps.slice(0, at) }));
  const all = { ...around, before: steps };
  return {
    steps: written,
    ...(returns && { return: pair.map((pick) => toValue(pick, all)) }),
    continue_on_error,
  };
}

function toStep(step: StepPlan, around: Around): object {
  const { id: name, parallel } = step;
  const at = `${around.at}/${name}`;
  if (!parallel) return { id: name, ...toBody(step, { ...around, at }) };
  return { id: name, parallel: parallel.map((child) => toStep(child, { ...around, at })) };
}

/** A call or a nested pipe. */
function toBody({ tool, pipe, picks: pair }: StepPlan, around: Around): object {
  const { at } = around;
  const [first, second] = pair;
  if (pipe) {
    const vars = { q: toValue(first, around), more: toValue(second, around) };
    const inner = { ...around, at, vars: ["q", "n", "more"] };
    return { pipe: { vars, ...toSteps(pipe, inner) } };
  }
  const w = second % 3 === 0 ? { w: `<${toText(second, around)}>` } : {};
  return { tool: toolName(tool ?? 0, around), args: { at, v: toValue(first, around), ...w } };
}

/** A tool by its id: mostly one that a model may call, seldom any, or one that nobody has. */
function toolName(pick: number, { tools }: Around): string {
  const offered = tools.filter(({ place }) => place === "offered");
  const known = pick % 20 === 0 || offered.length === 0 ? tools : offered;
  const plan = pick === 60 ? undefined : known[pick % known.length];
  return plan ? idOf(plan) : "nobody.has-it";
}
