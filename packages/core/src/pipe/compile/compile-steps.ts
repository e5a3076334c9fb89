import type { JsonObject } from "../../json/json.ts";
import { joinKey } from "../../json/path.ts";
import { joinPath } from "../spec/problems.ts";
import { isForbiddenName, mapReferences } from "../spec/references.ts";
import type { PipeSpec, PipeStep } from "../spec/spec.ts";
import type { CompiledPipe, CompiledStep, KnownVariables, Site } from "../types.ts";
import { createVariables } from "../variables/variables.ts";
import { compileTool } from "./compile-tool-step.ts";
import { checkValue, knownResult, type Noting, note, UNKNOWN, within } from "./known-values.ts";

/** Compiles a list of steps and its `return`. Each step may refer to earlier steps and to the vars that it can read. */
export function compileSteps(spec: PipeSpec, site: Site): CompiledPipe {
  const list = within({ ...site, path: joinPath(site.path, "steps") }, "steps");
  const ids = checkIds(spec.steps, list);
  const { vars: around, lost } = site.variables;
  let variables: KnownVariables = { ...createVariables(around), opaque: UNKNOWN, ids, lost };
  const steps = spec.steps.map((step, index) => {
    const compiled = compileStep(step, { ...within(list, index), variables });
    const result = knownResult(step);
    variables = { ...variables, steps: { ...variables.steps, [result.id]: result }, last: result };
    return compiled;
  });
  const { vars = {}, continue_on_error: continueOnError = false } = spec;
  const { parsed: returns } = checkValue(spec.return, { ...within(site, "return"), variables });
  return { path: site.path, vars, steps, returns, continueOnError };
}

/** Finds the known `vars` of a nested pipe, which may refer to the outer pipe. */
function knownVars({ vars = {} }: PipeSpec, site: Site): JsonObject {
  const own = within(site, "vars");
  checkValue(vars, own);
  if (Object.hasOwn(vars, "$ref")) {
    note(own, "vars must be an object of values, each of which may be a reference");
  }
  return Object(mapReferences(vars, { at: own.at, read: () => UNKNOWN }));
}

/** Collects the ids of a list. Notes blank, reserved and repeated ids. */
function checkIds(list: readonly PipeStep[], site: Noting): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const [index, { id }] of list.entries()) {
    const own = within(within(site, index), "id");
    if (id.trim() === "") note(own, "the id is blank; give the step a name");
    if (isForbiddenName(id)) note(own, `the id ${id} is not allowed`);
    if (ids.has(id)) note(own, `the id "${id}" is used twice in this list; rename one`);
    ids.add(id);
  }
  return ids;
}

function compileStep(step: PipeStep, site: Site): CompiledStep {
  const { id } = step;
  const path = joinKey(site.path, id);
  const part = compileKind(step, { ...site, path });
  return { ...part, id, path };
}

type Part<Kind> = Kind extends CompiledStep ? Omit<Kind, "id" | "path"> : never;

function compileKind(step: PipeStep, site: Site): Part<CompiledStep> {
  if ("tool" in step) return { kind: "tool", ...compileTool(step, site) };
  if ("parallel" in step) {
    const list = within({ ...site, path: joinPath(site.path, "children") }, "parallel");
    const ids = new Set([...site.variables.ids, ...checkIds(step.parallel, list)]);
    const inner = { ...list, variables: { ...site.variables, ids } };
    const children = step.parallel.map((child, at) => compileStep(child, within(inner, at)));
    return { kind: "parallel", children };
  }
  const inner = within(site, "pipe");
  const vars = { ...site.variables.vars, ...knownVars(step.pipe, inner) };
  const variables = { ...site.variables, vars };
  return { kind: "pipe", pipe: compileSteps(step.pipe, { ...inner, variables }) };
}
