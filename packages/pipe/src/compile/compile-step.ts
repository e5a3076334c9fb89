import { joinKey } from "@toolrail/json";
import { joinPath } from "../spec/problems.ts";
import type { PipeStep } from "../spec/spec.ts";
import type { Site } from "../types.ts";
import { checkIds, compileSteps, knownVars } from "./compile-pipe.ts";
import { compileTool } from "./compile-tool-step.ts";
import type { CompiledStep } from "./compiled-pipe.ts";
import { note, within } from "./known-values.ts";
import { NO_FLOW } from "./no-flow.ts";

/** A step of any kind, with its tools found and its references checked. */
export function compileStep(step: PipeStep, site: Site): CompiledStep {
  const { id, when } = step;
  const path = joinKey(site.path, id);
  if (when !== undefined && site.flow) site.flow.checkExpression(when, within(site, "when"));
  if (when !== undefined && !site.flow) note(within(site, "when"), NO_FLOW);
  const part = compileKind(step, { ...site, path });
  return { ...part, id, path, when };
}

type Part<Kind> = Kind extends CompiledStep ? Omit<Kind, "id" | "path" | "when"> : never;

function compileKind(step: PipeStep, site: Site): Part<CompiledStep> {
  if ("tool" in step) return { kind: "tool", ...compileTool(step, site) };
  if ("for_each" in step) {
    if (site.flow) return site.flow.compileEach(step, { site, compileStep });
    note(within(site, "for_each"), NO_FLOW);
    return { kind: "parallel", children: [] };
  }
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
