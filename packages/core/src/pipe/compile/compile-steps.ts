import type { Tool } from "../../call/tool.ts";
import { engineOf } from "../../host/engine.ts";
import type { Host } from "../../host/host.ts";
import { isJsonObject, type JsonObject, measure } from "../../json/json.ts";
import { joinKey } from "../../json/path.ts";
import { messageOf } from "../../json/plain-text.ts";
import type { CompiledPipe, CompiledStep, CompiledToolStep, PipeAuthor } from "../pipe.ts";
import {
  isForbiddenName,
  isReference,
  mapReferences,
  parseReference,
  type Reference,
} from "../spec/references.ts";
import {
  type PipeProblem,
  type PipeSpec,
  type PipeStep,
  STEP_KINDS,
  type ToolStep,
} from "../spec/spec.ts";
import { byId, type StepResult, toStepResult } from "../variables/results.ts";
import { createVariables, readReference, type Variables } from "../variables/variables.ts";

/** The name of the tool that runs pipes. No step may call it. */
export const PIPE_TOOL_NAME = "mcp_pipe";

/** A part of a spec during its check: its place, the values that it may refer to, and the list of problems. */
export interface Site {
  readonly host: Host;
  readonly author: PipeAuthor;
  /** The tools that a step may call. Absent if they are not limited. */
  readonly offered?: ReadonlySet<Tool> | undefined;
  readonly maxArgumentBytes: number;
  readonly problems: PipeProblem[];
  /** The path in the spec: `steps[0].args`. */
  readonly at: string;
  /** The path in the run: `steps.a`. */
  readonly path: string;
  /** The known values before anything runs. Unknown values are `UNKNOWN`. */
  readonly variables: Variables;
  /** The ids of the steps around, including later ones. */
  readonly ids: ReadonlySet<string>;
}

const UNKNOWN = Symbol("unknown");

/** Compiles a list of steps and its `return`. Each step may refer to earlier steps and to the vars that it can read. */
export function compileSteps(spec: PipeSpec, site: Site): CompiledPipe {
  const list = within({ ...site, path: joinKey(site.path, "steps") }, "steps");
  const ids = checkIds(spec.steps, list);
  let variables: Variables = { ...createVariables(site.variables.vars), opaque: UNKNOWN };
  const steps = spec.steps.map((step, index) => {
    const compiled = compileStep(step, { ...within(list, index), variables, ids });
    const result = knownResult(step);
    variables = { ...variables, steps: { ...variables.steps, [result.id]: result }, last: result };
    return compiled;
  });
  const { vars = {}, continue_on_error: continueOnError = false } = spec;
  checkValue(spec.return, { ...within(site, "return"), variables, ids });
  return { path: site.path, vars, steps, returns: spec.return, continueOnError };
}

/** Collects the ids of a list. Notes blank, reserved and repeated ids. */
function checkIds(list: readonly PipeStep[], site: Site): ReadonlySet<string> {
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

function compileStep(step: PipeStep, around: Site): CompiledStep {
  const { id } = step;
  const path = joinKey(around.path, id);
  const site = { ...around, path };
  if ("tool" in step) return { kind: "tool", ...compileTool(step, site), id, path };
  if ("parallel" in step) {
    const list = within({ ...site, path: joinKey(path, "children") }, "parallel");
    const inner = { ...list, ids: new Set([...site.ids, ...checkIds(step.parallel, list)]) };
    const children = step.parallel.map((child, at) => compileStep(child, within(inner, at)));
    return { kind: "parallel", children, id, path };
  }
  const inner = within(site, "pipe");
  const vars = { ...site.variables.vars, ...knownVars(step.pipe, inner) };
  const variables = { ...site.variables, vars };
  return { kind: "pipe", pipe: compileSteps(step.pipe, { ...inner, variables }), id, path };
}

/** Finds the known `vars` of a nested pipe, which may refer to the outer pipe. */
function knownVars({ vars = {} }: PipeSpec, site: Site): JsonObject {
  const own = within(site, "vars");
  const { known } = checkValue(vars, own);
  if (Object.hasOwn(vars, "$ref")) {
    note(own, "vars must be an object of values, each of which may be a reference");
  }
  return Object(known);
}

/** Compiles a tool step: its tool must exist and accept the known arguments. */
function compileTool(
  { tool: name, args = {} }: ToolStep,
  site: Site,
): Pick<CompiledToolStep, "tool" | "args"> {
  const { host, problems } = site;
  const place = within(site, "args");
  const before = problems.length;
  const { isLiteral } = checkValue(args, place);
  const tool = findStepTool(name, site);
  if (typeof tool === "string") {
    note(within(site, "tool"), tool);
    return { tool: { server: "", name }, args };
  }
  if (problems.length === before && !isReference(args)) {
    const problem = isLiteral
      ? engineOf(host).checkArguments({ tool, arguments: args })?.message
      : keyProblem(tool, Object.keys(args));
    note(place, problem);
  }
  return { tool: { server: tool.server, name: tool.name }, args };
}

/** Finds the tool of a step, by the name that a model sees or by the names of a host. Returns the reason if there is none. */
function findStepTool(name: string, { host, author, offered }: Site): Tool | string {
  let tool = host.tools.find(({ modelName }) => modelName === name);
  try {
    tool ??= host.find(name);
  } catch (cause) {
    return name === PIPE_TOOL_NAME ? RECURSION : messageOf(cause);
  }
  if (tool.name === PIPE_TOOL_NAME) return RECURSION;
  if (offered && !offered.has(tool)) return `tool ${tool.id} is not offered here`;
  if (author === "application" || tool.forModel) return tool;
  return `tool ${tool.id} is only for the application and cannot be part of a model's pipe`;
}

const RECURSION = `${PIPE_TOOL_NAME} cannot call itself; write a step { "id", "pipe": { "steps": [...] } } instead`;

/** Finds missing and unknown arguments, as far as the top level of the schema lists them. */
function keyProblem({ id, inputSchema }: Tool, given: readonly string[]): string | undefined {
  const { required, properties, additionalProperties, patternProperties } = inputSchema;
  const missing = Array.isArray(required) ? required.filter((key) => !given.includes(key)) : [];
  if (missing.length > 0) return `${id} also needs ${missing.join(", ")}`;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const unknown = given.filter((key) => !names.includes(key));
  if (unknown.length === 0) return undefined;
  return `${id} takes no ${unknown.join(", ")}; it takes ${names.join(", ") || "no arguments"}`;
}

/** Returns the result of a step as far as its kind determines it. */
function knownResult(step: PipeStep): StepResult {
  const { id } = step;
  const inner = "parallel" in step ? step.parallel : "pipe" in step ? step.pipe.steps : [];
  const kind = STEP_KINDS.find((name) => name in step) ?? "tool";
  const steps = byId(inner.map(knownResult));
  const end = { type: "ended", startMs: 0, elapsedMs: 0, error: "" } as const;
  const known = toStepResult({ id, kind }, { ...end, inner: { steps, result: UNKNOWN } });
  return known.kind === "tool" ? { ...known, structured: UNKNOWN } : known;
}

/** Notes the problems of a value. `known` is the value with `UNKNOWN` for each reference. */
function checkValue(value: unknown, site: Site) {
  let isLiteral = true;
  if (!checkSize(value, site)) return { known: value, isLiteral };
  const read = ({ raw, at }: Reference) => {
    isLiteral = false;
    const keys = parseReference(raw);
    note({ ...site, at }, typeof keys === "string" ? keys : referenceProblem(keys, site));
    return UNKNOWN;
  };
  return { known: mapReferences(value, read, site.at), isLiteral };
}

/** Notes a value that is too large or nested too deep. Returns true for any other. */
export function checkSize(value: unknown, site: Site): boolean {
  const size = measure(value, { maxBytes: site.maxArgumentBytes, maxDepth: 64 });
  note(site, size && `${size}; keep specs small and let steps fetch the data`);
  return size === undefined;
}

function referenceProblem(keys: readonly string[], { variables, ids }: Site): string | undefined {
  const text = keys.join(".");
  const [root = "", name = ""] = keys;
  if (root === "last" && !variables.last) return `"${text}": there is no step before this one`;
  if (root === "steps" && ids.has(name) && !Object.hasOwn(variables.steps, name)) {
    return `"${text}": step "${name}" has not run by then; refer to earlier steps only`;
  }
  const reading = readReference(variables, keys);
  return reading.found ? undefined : `"${text}" cannot be read: ${reading.message}`;
}

/** Returns the place of a member, by its key or index. */
function within(place: Site, key: string | number): Site {
  return { ...place, at: joinKey(place.at, key) };
}

function note({ at: path, problems }: Site, message: string | undefined): void {
  if (message) problems.push({ path, message });
}
