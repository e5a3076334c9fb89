import { checkIds, compileSteps, knownVars } from "./compile-pipe.ts";
import { compileTool } from "./compile-tool-step.ts";
import type { CompiledEach, CompiledStep } from "./compiled-pipe.ts";
import {
  checkExpression,
  checkFlow,
  checkValue,
  referenceProblem,
  type Site,
  UNKNOWN,
} from "./known-scope.ts";
import { isReference } from "./map-references.ts";
import { joinPath } from "./pipe-problem.ts";
import type { EachStep, PipeStep } from "./pipe-spec.ts";
import { isForbiddenName, ROOTS } from "./references.ts";

/** A step of any kind, with its tools found and its references checked. */
export function compileStep(step: PipeStep, site: Site): CompiledStep {
  const { id, when } = step;
  const path = joinPath(site.path, id);
  checkAfter(step, site);
  if (when !== undefined) checkExpression(when, { ...site, at: joinPath(site.at, "when") });
  const part = compileKind(step, { ...site, path });
  return { ...part, id, path, needs: [...site.needs], when };
}

type Part<Kind> = Kind extends CompiledStep ? Omit<Kind, "id" | "path" | "needs" | "when"> : never;

function compileKind(step: PipeStep, site: Site): Part<CompiledStep> {
  const { path } = site;
  if ("tool" in step) return { kind: "tool", ...compileTool(step, site) };
  if ("for_each" in step) return compileEach(step, site);
  if ("parallel" in step) {
    const at = joinPath(site.at, "parallel");
    const ids = checkIds(step.parallel, { ...site, at });
    const scope = { ...site.scope, ids: new Set([...site.scope.ids, ...ids]) };
    const inner = { ...site, path: joinPath(path, "children"), scope };
    const children = step.parallel.map((child, index) => {
      return compileStep(child, { ...inner, at: joinPath(at, index) });
    });
    return { kind: "parallel", children };
  }
  const at = joinPath(site.at, "pipe");
  const vars = { ...site.scope.vars, ...knownVars(step.pipe, { ...site, at }) };
  const scope = { ...site.scope, vars };
  return { kind: "pipe", pipe: compileSteps(step.pipe, { ...site, at, path, scope }) };
}

const MAX_ITEMS = 20;

function compileEach(step: EachStep, site: Site): Part<CompiledEach> {
  const { for_each: list, as = "item", max_items: maxItems = MAX_ITEMS } = step;
  const { problems, path } = site;
  const at = joinPath(site.at, "for_each");
  checkFlow(true, { ...site, at });
  const { parsed } = checkValue(list, { ...site, at });
  if (!Array.isArray(list) && !isReference(list)) {
    const message = 'this must be a list, or read one, as {"$ref": "steps.a.structured.rows"} does';
    problems.push({ path: at, message });
  } else if (Array.isArray(list) && list.length > maxItems) {
    const message = `the list has ${list.length} items; at most ${maxItems} may run (max_items)`;
    problems.push({ path: at, message });
  }
  const name = nameProblem(as, site);
  if (name) problems.push({ path: joinPath(site.at, "as"), message: name });
  const scope = { ...site.scope, items: { ...site.scope.items, [as]: UNKNOWN } };
  const inner = { ...site, at: joinPath(site.at, "do"), path, scope };
  const body = compileStep({ id: "items", ...step.do }, inner) as CompiledEach["body"];
  return { kind: "for_each", list: parsed, as, maxItems, body };
}

/** A name of an item that a path and an expression can write, and that means nothing else. */
function nameProblem(as: string, { scope: { items = {} } }: Site): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(as) || isForbiddenName(as)) {
    return `the name ${JSON.stringify(as.slice(0, 40))} cannot be used: write letters, digits and "_"`;
  }
  const isTaken = [...ROOTS, "kept"].includes(as) || Object.hasOwn(items, as);
  return isTaken ? `"${as}" means something else here already; take another name` : undefined;
}

function checkAfter({ after }: PipeStep, site: Site): void {
  const { scope, problems } = site;
  const at = joinPath(site.at, "after");
  checkFlow(after !== undefined, { ...site, at });
  for (const id of after ?? []) {
    const steps = [...scope.ids].join(", ");
    const message = scope.ids.has(id)
      ? referenceProblem(["steps", id], site)
      : `there is no step "${id}" here; steps: ${steps}`;
    if (message) problems.push({ path: at, message });
  }
}
