import { measure } from "../../json/json.ts";
import { parseAddress } from "../../result/address.ts";
import { joinPath } from "../spec/problems.ts";
import { mapReferences, parseReference } from "../spec/references.ts";
import { type PipeStep, STEP_KINDS } from "../spec/spec.ts";
import type { Site, StepResult, ToolStepResult } from "../types.ts";
import { byId, toStepResult } from "../variables/results.ts";
import { readReference } from "../variables/values.ts";

export const UNKNOWN = Symbol("unknown");

/**
 * Notes the problems of a value. In `parsed`, each path by itself is replaced by its keys, which saves parsing it in each run.
 */
export function checkValue(value: unknown, site: Site) {
  let isLiteral = true;
  if (!checkSize(value, site)) return { parsed: value, isLiteral };
  const parsed = mapReferences(value, {
    at: site.at,
    read({ raw, at, inText }) {
      isLiteral = false;
      const keys = parseReference(raw);
      const problem = typeof keys === "string" ? keys : referenceProblem(keys, site);
      note({ ...site, at }, problem);
      return inText ? `\${${raw}}` : { $ref: keys };
    },
  });
  return { parsed, isLiteral };
}

/** Returns the place of a member, by its key or index. */
export function within<Place extends Pick<Site, "at">>(place: Place, key: string | number): Place {
  return { ...place, at: joinPath(place.at, key) };
}

export function note({ at: path, problems }: Noting, message: string | undefined): void {
  if (message) problems.push({ path, message });
}

export type Noting = Pick<Site, "at" | "problems">;

export function checkSize(value: unknown, site: Noting & Pick<Site, "maxArgumentBytes">): boolean {
  const size = measure(value, { maxBytes: site.maxArgumentBytes, maxDepth: 64 });
  note(site, size && `${size}; keep specs small and let steps fetch the data`);
  return size === undefined;
}

function referenceProblem(
  keys: readonly string[],
  { variables }: Pick<Site, "variables">,
): string | undefined {
  const text = keys.join(".");
  const [root = "", name = ""] = keys;
  if (root === "last" && !variables.last) return `"${text}": there is no step before this one`;
  if (root === "steps" && variables.ids.has(name) && !Object.hasOwn(variables.steps, name)) {
    return `"${text}": step "${name}" has not run by then; refer to earlier steps only`;
  }
  if (root === "vars" && parseAddress(name) && !Object.hasOwn(variables.vars, name)) {
    if (Object.hasOwn(variables.lost, name)) return variables.lost[name];
    return `"${name}" is not a kept result of this conversation; call its tool again`;
  }
  const reading = readReference(variables, keys);
  return reading.found ? undefined : `"${text}" cannot be read: ${reading.message}`;
}

/** Returns the result of a step as far as its kind determines it. */
export function knownResult(step: PipeStep): StepResult {
  const { id } = step;
  const inner = "parallel" in step ? step.parallel : "pipe" in step ? step.pipe.steps : [];
  const kind = STEP_KINDS.find((name) => name in step) ?? "tool";
  const steps = byId(inner.map(knownResult));
  const end = { type: "ended", startMs: 0, elapsedMs: 0, error: "" } as const;
  const known = toStepResult({ id, kind }, { ...end, inner: { steps, result: UNKNOWN } });
  if (known.kind !== "tool") return known;
  const { hops: _, ...fields } = known;
  return { ...fields, structured: UNKNOWN } as ToolStepResult;
}
