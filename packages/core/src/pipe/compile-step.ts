import { checkIds, compileSteps, knownVars } from "./compile-pipe.ts";
import { compileTool } from "./compile-tool-step.ts";
import type { CompiledEach, CompiledStep } from "./compiled-pipe.ts";
import {
  checkExpression,
  checkFlow,
  checkValue,
  note,
  type Site,
  UNKNOWN,
  within,
} from "./known-scope.ts";
import { isReference } from "./map-references.ts";
import { joinPath } from "./pipe-problem.ts";
import type { EachStep, PipeStep } from "./pipe-spec.ts";
import { isForbiddenName, ROOTS } from "./references.ts";

/** A step of any kind, with its tools found and its references checked. */
export function compileStep(step: PipeStep, site: Site): CompiledStep {
  const { id, when } = step;
  const path = joinPath(site.path, id);
  if (when !== undefined) checkExpression(when, within(site, "when"));
  const part = compileKind(step, { ...site, path });
  return { ...part, id, path, when };
}

type Part<Kind> = Kind extends CompiledStep ? Omit<Kind, "id" | "path" | "when"> : never;

function compileKind(step: PipeStep, site: Site): Part<CompiledStep> {
  if ("tool" in step) return { kind: "tool", ...compileTool(step, site) };
  if ("for_each" in step) return compileEach(step, site);
  if ("parallel" in step) {
    const list = within({ ...site, path: joinPath(site.path, "children") }, "parallel");
    const ids = new Set([...site.scope.ids, ...checkIds(step.parallel, list)]);
    const inner = { ...list, scope: { ...site.scope, ids } };
    const children = step.parallel.map((child, at) => compileStep(child, within(inner, at)));
    return { kind: "parallel", children };
  }
  const inner = within(site, "pipe");
  const vars = { ...site.scope.vars, ...knownVars(step.pipe, inner) };
  const scope = { ...site.scope, vars };
  return { kind: "pipe", pipe: compileSteps(step.pipe, { ...inner, scope }) };
}

const MAX_ITEMS = 20;

function compileEach(step: EachStep, site: Site): Part<CompiledEach> {
  const { for_each: list, as = "item", max_items: maxItems = MAX_ITEMS } = step;
  const place = within(site, "for_each");
  checkFlow(place);
  const { parsed } = checkValue(list, place);
  if (!Array.isArray(list) && !isReference(list)) note(place, NO_LIST);
  if (Array.isArray(list) && list.length > maxItems) {
    note(place, `the list has ${list.length} items; at most ${maxItems} may run (max_items)`);
  }
  note(within(site, "as"), nameProblem(as, site));
  const scope = { ...site.scope, items: { ...site.scope.items, [as]: UNKNOWN } };
  const inner = { ...within(site, "do"), scope };
  const body = compileStep({ id: "items", ...step.do }, inner) as CompiledEach["body"];
  return { kind: "for_each", list: parsed, as, maxItems, body };
}

const NO_LIST = 'this must be a list, or read one, as {"$ref": "steps.a.structured.rows"} does';

/** A name of an item that a path and an expression can write, and that means nothing else. */
function nameProblem(as: string, { scope: { items = {} } }: Site): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(as) || isForbiddenName(as)) {
    return `the name ${JSON.stringify(as.slice(0, 40))} cannot be used: write letters, digits and "_"`;
  }
  const isTaken = [...ROOTS, "kept"].includes(as) || Object.hasOwn(items, as);
  return isTaken ? `"${as}" means something else here already; take another name` : undefined;
}
