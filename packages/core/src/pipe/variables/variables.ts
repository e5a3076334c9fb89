import { ToolrailError } from "../../errors.ts";
import { type JsonObject, measure, weigh } from "../../json/json.ts";
import { type Reading, readPath } from "../../json/path.ts";
import { messageOf } from "../../json/plain-text.ts";
import type { CompiledNested, CompiledPipe, PipeLimits } from "../pipe.ts";
import { mapReferences, parseReference, type Reference } from "../spec/references.ts";
import {
  coverStep,
  HIDDEN,
  isHidden,
  mapResults,
  type StepResult,
  type StepResults,
  showStep,
  weighStep,
} from "./results.ts";

/** The values that references of one list of steps read. Never changed, so that a step may pass them on. */
export interface Variables {
  readonly vars: JsonObject;
  /** The results of the steps so far. Paths read the fields that `showStep` returns. */
  readonly steps: StepResults;
  readonly last?: StepResult | undefined;
  /** The bytes of all results before the next step, including those of the outer pipes. */
  readonly keptBytes: number;
  /** True if a step so far has content for the user alone. */
  readonly hides?: boolean;
  /** The `vars` without content for the user alone, if they may have any. */
  readonly shownVars?: JsonObject | undefined;
  /** The placeholder of unknown or hidden values. Each of its parts is the placeholder too. */
  readonly opaque?: unknown;
}

/** Creates the variables of the first step of a list. */
export function createVariables(vars: JsonObject, keptBytes = 0): Variables {
  return { vars, steps: {}, keptBytes };
}

/** Creates the variables of the first step of a run: the `vars` of the spec, which are data, overlaid by the given ones. */
export function topVariables(
  { vars }: Pick<CompiledPipe, "vars">,
  given: JsonObject = {},
): Variables {
  return createVariables({ ...structuredClone(vars), ...given });
}

/** Creates the variables of the step after this one. */
export function addStep(variables: Variables, step: StepResult): Variables {
  const steps = { ...variables.steps, [step.id]: step };
  const keptBytes = variables.keptBytes + weighStep(step);
  const hides = variables.hides || isHidden(step);
  return { ...variables, steps, last: step, keptBytes, hides };
}

/** Creates the variables of the first step of a nested pipe. `error` is the reason if it cannot begin. */
export function enterNested(
  { pipe, path }: { readonly pipe: Pick<CompiledPipe, "vars"> } & Pick<CompiledNested, "path">,
  { variables, limits }: { readonly variables: Variables; readonly limits: PipeLimits },
): { readonly variables: Variables } | { readonly error: string } {
  const enter = (around: Variables): JsonObject => {
    const bounds = { variables: around, maxBytes: limits.maxKeptBytes };
    return { ...around.vars, ...(resolveValue(pipe.vars, bounds) as JsonObject) };
  };
  try {
    const inner = createVariables(enter(variables), variables.keptBytes);
    const shown = readCovered(variables, enter);
    if (shown === undefined) return { variables: inner };
    return { variables: { ...inner, shownVars: shown === HIDDEN ? {} : shown } };
  } catch (cause) {
    return { error: `${path}.vars: ${messageOf(cause)}` };
  }
}

/** Returns the same values without content for the user alone, as models read them, or `undefined` if there is no such content. */
function coverVariables(variables: Variables): Variables | undefined {
  const { vars, steps, last, hides, shownVars } = variables;
  if (!shownVars && !hides) return undefined;
  const covered = { steps: mapResults(steps, coverStep), last: last && coverStep(last) };
  return { ...variables, ...covered, vars: shownVars ?? vars, opaque: HIDDEN };
}

/** Reads the covered variables, if there are any. Returns `HIDDEN` if the placeholders make the reading fail. */
export function readCovered<T>(
  variables: Variables,
  read: (variables: Variables) => T,
): T | typeof HIDDEN | undefined {
  const covered = coverVariables(variables);
  try {
    return covered && read(covered);
  } catch {
    return HIDDEN;
  }
}

/** Resolves the references in a value of a checked spec. Throws `invalid-pipe` if one cannot be read, or makes it too large. */
export function resolveValue(
  value: unknown,
  { variables, maxBytes }: { readonly variables: Variables; readonly maxBytes: number },
): unknown {
  let left = maxBytes;
  const read = ({ raw, inText }: Reference): unknown => {
    const keys = parseReference(raw);
    if (typeof keys === "string") throw new ToolrailError("invalid-pipe", keys);
    const text = keys.join(".");
    const reading = readReference(variables, keys);
    if (!reading.found) {
      const covered = coverVariables(variables);
      const isCovered = covered && readReference(covered, keys).found;
      const why = isCovered ? "it is inside content for the user alone" : reading.message;
      throw new ToolrailError("invalid-pipe", `"${text}" cannot be read: ${why}`);
    }
    const { value: found } = reading;
    if (!inText) return found;
    if (found === null || found === undefined) return "";
    const weight = weigh(found, { maxBytes: left, maxDepth: 256 });
    if (typeof weight === "string") {
      const message = `"${text}" makes a value larger than ${maxBytes} bytes; pass it as {"$ref": "${text}"}, or less of it`;
      throw new ToolrailError("invalid-pipe", message);
    }
    left -= weight;
    return typeof found === "string" ? found : JSON.stringify(found);
  };
  const built = mapReferences(value, read);
  const size = measure(built, { maxBytes, maxDepth: 256 });
  if (!size) return built;
  const message = `the value was not passed on: ${size}; select less of it, or raise the limits of the pipe`;
  throw new ToolrailError("invalid-pipe", message);
}

/** Reads own properties of plain objects and arrays, and the JSON in the text of a step. */
export function readReference(
  { vars, steps, last, opaque }: Omit<Variables, "keptBytes">,
  keys: readonly string[],
): Reading {
  const [root, id = ""] = keys;
  // Only the step that is read is shown, since a value may have many references.
  const few = Object.hasOwn(steps, id) ? { [id]: steps[id] as StepResult } : steps;
  const roots = {
    vars,
    steps: root === "steps" ? mapResults(few, showStep) : steps,
    ...(last && { last: root === "last" ? showStep(last) : last }),
  };
  try {
    return readPath(roots, { keys, opaque });
  } catch (cause) {
    return { found: false, message: messageOf(cause) }; // The text is not JSON.
  }
}
