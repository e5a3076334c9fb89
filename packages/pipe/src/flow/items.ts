import type { ArgumentSource } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import { messageOf } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import { itemSteps } from "../run/item-steps.ts";
import { takeSteps } from "../run/run-context.ts";
import { makeArguments, tellDefect } from "../run/tool-step.ts";
import { enterNested, readCovered } from "../scope/scope.ts";
import { sourceOf } from "../scope/source-of.ts";
import { HIDDEN } from "../scope/step-views.ts";
import { resolveValue } from "../scope/values.ts";
import type {
  CompiledEach,
  CompiledStep,
  Counting,
  ItemStep,
  PipeScope,
  ReadReference,
  Turn,
} from "../types.ts";

export function expandItems(
  run: Counting,
  { step, scope }: Turn<CompiledEach>,
): readonly Turn<ItemStep>[] | string {
  const { limits, spent } = run;
  const { path, body } = step;
  const scopes = itemScopes(step, { scope, limits });
  if (typeof scopes === "string") return `${path}: ${scopes}`;
  const { length } = scopes;
  if (spent.steps + length * (1 + countInside(body)) > limits.maxSteps) {
    return `${path}: the ${length} items exceed the steps left of ${limits.maxSteps} (limits.maxSteps)`;
  }
  const turns: Turn<ItemStep>[] = [];
  for (const [index, item] of itemSteps(step, length).entries()) {
    const turn = prepareItem(run, { step: item, scope: scopes[index] ?? scope });
    if (typeof turn === "string") return turn;
    turns.push(turn);
  }
  takeSteps(run, length);
  return turns;
}

export function itemScopes(
  { list, as, maxItems }: CompiledEach,
  { scope, limits }: { readonly scope: PipeScope; readonly limits: PipeLimits },
): readonly PipeScope[] | string {
  const sources: ArgumentSource[] = [];
  const onRead = (read: ReadReference) => sources.push(...sourceOf(scope, read));
  const bounds = { maxBytes: limits.maxKeptBytes };
  let values: unknown;
  try {
    values = resolveValue(list, { ...bounds, scope, onRead });
  } catch (cause) {
    return `for_each: ${messageOf(cause)}`;
  }
  const covered = readCovered(scope, (own) => resolveValue(list, { ...bounds, scope: own }));
  const { length } = Object(values);
  const shown = Array.isArray(covered) && covered.length === length ? covered : undefined;
  const isHidden = scope.covered && !shown && (Array.isArray(values) || covered === HIDDEN);
  if (isHidden && scope.author === "model") {
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
    const items = { ...scope.items, [as]: value };
    const inner = { ...scope, items, origins: { ...scope.origins, [as]: from } };
    if (!scope.covered) return inner;
    const own = { ...scope.covered.items, [as]: shown ? shown[at] : HIDDEN };
    return { ...inner, covered: { ...scope.covered, items: own } };
  });
}

/** The arguments of a tool, or the vars of a nested pipe. */
function prepareItem(
  { host, limits }: Counting,
  { step, scope }: Turn<ItemStep>,
): Turn<ItemStep> | string {
  if (step.kind === "pipe") {
    const entry = enterNested(step, { scope, limits });
    return "error" in entry ? entry.error : { step, ...entry, isItem: true };
  }
  try {
    const { args, sources } = makeArguments({ limits }, { step, scope });
    const problem = engineOf(host).checkArguments({ tool: step.tool, arguments: args });
    const told = problem && tellDefect({ limits }, { step, scope }, problem.message);
    if (told) return `${step.path}: ${told}`;
    return { step, scope, args, sources, isItem: true };
  } catch (cause) {
    return `${step.path}: ${messageOf(cause)}`;
  }
}

/** The steps in a step that are known before a run. */
function countInside(step: CompiledStep): number {
  if (step.kind === "tool" || step.kind === "for_each") return 0;
  const inner = step.kind === "pipe" ? step.pipe.steps : step.children;
  return inner.reduce((count, one) => count + 1 + countInside(one), 0);
}
