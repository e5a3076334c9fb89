import type { JsonObject } from "../json.ts";
import { compileTool } from "./compile-tool-step.ts";
import type { CompiledPipe, CompiledStep } from "./compiled-pipe.ts";
import {
  type CompileParts,
  checkSize,
  checkValue,
  type KnownScope,
  knownResult,
  type Site,
  UNKNOWN,
} from "./known-scope.ts";
import { joinPath } from "./pipe-problem.ts";
import { addStep, createScope } from "./pipe-scope.ts";
import type { PipeSpec, PipeStep } from "./pipe-spec.ts";
import { isForbiddenName } from "./references.ts";

/** Finds the tools of a spec and checks its references. Where it notes problems, the result is of no use. */
export function compilePipe(spec: PipeSpec, parts: CompileParts): CompiledPipe {
  const vars = { ...parts.kept, ...spec.vars };
  checkSize(spec.vars ?? {}, { ...parts, at: "vars" });
  const scope = { ...createScope(vars), ids: new Set<string>() };
  return compileSteps({ ...spec, vars }, { ...parts, at: "", path: "", scope });
}

/** A list of steps, each of which may refer to those before it and to the vars in scope, and its `return`. */
function compileSteps(spec: PipeSpec, site: Site): CompiledPipe {
  const at = joinPath(site.at, "steps");
  const path = joinPath(site.path, "steps");
  const ids = checkIds(spec.steps, { ...site, at });
  let scope: KnownScope = { ...createScope(site.scope.vars), opaque: UNKNOWN, ids };
  const steps = spec.steps.map((step, index) => {
    const compiled = compileStep(step, { ...site, at: joinPath(at, index), path, scope });
    scope = addStep(scope, knownResult(compiled));
    return compiled;
  });
  const { vars = {}, return: returns, continue_on_error: continueOnError = false } = spec;
  checkValue(returns, { ...site, at: joinPath(site.at, "return"), scope });
  return { path: site.path, vars, steps, returns, continueOnError };
}

function compileStep(step: PipeStep, site: Site): CompiledStep {
  const { id } = step;
  const path = joinPath(site.path, id);
  if ("tool" in step) {
    return { kind: "tool", id, path, tool: compileTool(step, site), args: step.args ?? {} };
  }
  if ("parallel" in step) {
    const at = joinPath(site.at, "parallel");
    const ids = checkIds(step.parallel, { ...site, at });
    const scope = { ...site.scope, ids: new Set([...site.scope.ids, ...ids]) };
    const inner = { ...site, path: joinPath(path, "children"), scope };
    const children = step.parallel.map((child, index) => {
      return compileStep(child, { ...inner, at: joinPath(at, index) });
    });
    return { kind: "parallel", id, path, children };
  }
  const at = joinPath(site.at, "pipe");
  const vars = { ...site.scope.vars, ...knownVars(step.pipe, { ...site, at }) };
  const scope = { ...site.scope, vars };
  return { kind: "pipe", id, path, pipe: compileSteps(step.pipe, { ...site, at, path, scope }) };
}

/** What is known of the `vars` of a nested pipe, which may refer to the pipe around it. */
function knownVars({ vars = {} }: PipeSpec, site: Site): JsonObject {
  const at = joinPath(site.at, "vars");
  const { known } = checkValue(vars, { ...site, at });
  if (Object.hasOwn(vars, "$ref")) {
    const message = "vars must be an object of values, each of which may be a reference";
    site.problems.push({ path: at, message });
  }
  return Object(known);
}

/** The ids of a list. Notes those that are blank, reserved or there twice. */
function checkIds(
  list: readonly PipeStep[],
  { at, problems }: Pick<Site, "at" | "problems">,
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of list.entries()) {
    const note = (message: string) =>
      problems.push({ path: joinPath(joinPath(at, index), "id"), message });
    if (id.trim() === "") note("the id is blank; give the step a name");
    if (isForbiddenName(id)) note(`the id ${id} is not allowed`);
    if (ids.has(id)) note(`the id "${id}" is used twice in this list; rename one`);
    ids.add(id);
  }
  return ids;
}
