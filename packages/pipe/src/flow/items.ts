import type { ArgumentSource } from "@toolrail/core/plugin";
import { engineOf } from "@toolrail/core/plugin";
import { messageOf } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import { itemSteps } from "../run/item-steps.ts";
import { takeSteps } from "../run/run-context.ts";
import { describeDefect, makeArguments } from "../run/tool-step.ts";
import type {
  CompiledEach,
  CompiledStep,
  Counting,
  ItemStep,
  ReadReference,
  Turn,
  Variables,
} from "../types.ts";
import { findSources } from "../variables/find-sources.ts";
import { HIDDEN } from "../variables/step-views.ts";
import { resolveValue } from "../variables/values.ts";
import { enterNested, readCovered } from "../variables/variables.ts";

export function expandItems(
  run: Counting,
  { step, variables }: Turn<CompiledEach>,
): readonly Turn<ItemStep>[] | string {
  const { limits, spent } = run;
  const { path, body } = step;
  const perItem = itemVariables(step, { variables, limits });
  if (typeof perItem === "string") return `${path}: ${perItem}`;
  const { length } = perItem;
  if (spent.steps + length * (1 + countInside(body)) > limits.maxSteps) {
    return `${path}: the ${length} items need more steps than are left of ${limits.maxSteps} (limits.maxSteps)`;
  }
  const turns: Turn<ItemStep>[] = [];
  for (const [index, item] of itemSteps(step, length).entries()) {
    const turn = prepareItem(run, { step: item, variables: perItem[index] ?? variables });
    if (typeof turn === "string") return turn;
    turns.push(turn);
  }
  takeSteps(run, length);
  return turns;
}

export function itemVariables(
  { list, as, maxItems }: CompiledEach,
  { variables, limits }: { readonly variables: Variables; readonly limits: PipeLimits },
): readonly Variables[] | string {
  const sources: ArgumentSource[] = [];
  const onRead = (read: ReadReference) => sources.push(...findSources(variables, read));
  const bounds = { maxBytes: limits.maxKeptBytes };
  let values: unknown;
  try {
    values = resolveValue(list, { ...bounds, variables, onRead });
  } catch (cause) {
    return `for_each: ${messageOf(cause)}`;
  }
  const covered = readCovered(variables, (own) =>
    resolveValue(list, { ...bounds, variables: own }),
  );
  const { length } = Object(values);
  const shown = Array.isArray(covered) && covered.length === length ? covered : undefined;
  const isHidden = variables.covered && !shown && (Array.isArray(values) || covered === HIDDEN);
  if (isHidden && variables.author === "model") {
    return "the list of for_each is only for the user; a model's pipe may not loop over it";
  }
  if (!Array.isArray(values)) return "for_each needs a list";
  if (length > maxItems) {
    return `the list has ${length} items; at most ${maxItems} may run: select less of it, or raise max_items`;
  }
  return values.map((value, at) => {
    const from = sources.map((source) => {
      const isWhole = source.path === "" && !source.part;
      return isWhole ? { ...source, from: `${source.from}.${at}` } : source;
    });
    const items = { ...variables.items, [as]: value };
    const inner = { ...variables, items, origins: { ...variables.origins, [as]: from } };
    if (!variables.covered) return inner;
    const own = { ...variables.covered.items, [as]: shown ? shown[at] : HIDDEN };
    return { ...inner, covered: { ...variables.covered, items: own } };
  });
}

/** Prepares the arguments of a tool or the vars of a nested pipe. */
function prepareItem(
  { host, limits }: Counting,
  { step, variables }: Turn<ItemStep>,
): Turn<ItemStep> | string {
  if (step.kind === "pipe") {
    const entry = enterNested(step, { variables, limits });
    return "error" in entry ? entry.error : { step, ...entry, isItem: true };
  }
  try {
    const { args, sources } = makeArguments({ limits }, { step, variables });
    const problem = engineOf(host).checkArguments({ tool: step.tool, arguments: args });
    const defect = problem && describeDefect({ limits }, { step, variables }, problem.message);
    if (defect) return `${step.path}: ${defect}`;
    return { step, variables, args, sources, isItem: true };
  } catch (cause) {
    return `${step.path}: ${messageOf(cause)}`;
  }
}

/** Counts the steps inside a step that are known before a run. */
function countInside(step: CompiledStep): number {
  if (step.kind === "tool" || step.kind === "for_each") return 0;
  const inner = step.kind === "pipe" ? step.pipe.steps : step.children;
  return inner.reduce((count, one) => count + 1 + countInside(one), 0);
}
