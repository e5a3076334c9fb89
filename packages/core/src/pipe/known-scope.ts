import { parseExpression } from "../expression/expression.ts";
import type { Host } from "../host/host.ts";
import { measure } from "../json.ts";
import { isAddressId } from "../reference/address.ts";
import type { PipeAuthor } from "./compiled-pipe.ts";
import { mapReferences } from "./map-references.ts";
import { joinPath, type PipeProblem } from "./pipe-problem.ts";
import { byId, type StepResult, type ToolStepResult } from "./pipe-result.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { type PipeStep, STEP_KINDS } from "./pipe-spec.ts";
import { parseReference, ROOTS, readReference } from "./references.ts";
import { toStepResult } from "./step-result.ts";

/** What is known of a pipe's values at one of its steps, before anything runs: `UNKNOWN` stands for the rest. */
export interface KnownScope extends PipeScope {
  /** Ids of all steps of the list, those still to come included. */
  readonly ids: ReadonlySet<string>;
}

export const UNKNOWN = Symbol("unknown");

/** Where a part of a spec stands, what it may refer to, and where is noted what is wrong with it. */
export interface Site {
  readonly host: Host;
  readonly author: PipeAuthor;
  readonly maxArgumentBytes: number;
  /** False refuses when, for_each and $cel. */
  readonly flow: boolean;
  readonly problems: PipeProblem[];
  /** The place in the spec: `steps[0].args`. */
  readonly at: string;
  /** The place in the run: `steps.a`. */
  readonly path: string;
  readonly scope: KnownScope;
}

/**
 * Notes what is wrong with a value of the spec. In `parsed` each path that stands by itself is its keys, so that no run
 * parses it again.
 */
export function checkValue(value: unknown, site: Site) {
  let isLiteral = true;
  if (!checkSize(value, site)) return { parsed: value, isLiteral };
  const parsed = mapReferences(value, {
    at: site.at,
    read({ raw, at, form }) {
      isLiteral = false;
      if (form === "cel") {
        checkExpression(raw, { ...site, at });
        return { $cel: raw };
      }
      const keys = parseReference(raw, site.scope);
      const problem = typeof keys === "string" ? keys : referenceProblem(keys, site);
      note({ ...site, at }, problem);
      return form === "text" ? `\${${raw}}` : { $ref: keys };
    },
  });
  return { parsed, isLiteral };
}

/** The place of a member: a key, or the number of an item. */
export function within<Place extends Pick<Site, "at">>(place: Place, key: string | number): Place {
  return { ...place, at: joinPath(place.at, key) };
}

/** Notes what is wrong at a place, if anything is. */
export function note({ at: path, problems }: Noting, message: string | undefined): void {
  if (message) problems.push({ path, message });
}

/** Where problems are noted. */
export type Noting = Pick<Site, "at" | "problems">;

/** Notes a value that is too large. */
export function checkSize(value: unknown, site: Noting & Pick<Site, "maxArgumentBytes">): boolean {
  const size = measure(value, { maxBytes: site.maxArgumentBytes, maxDepth: 64 });
  note(site, size && `${size}; keep specs small and let steps fetch the data`);
  return size === undefined;
}

/** Notes what is wrong with an expression: its syntax, with the place, and what it reads. */
export function checkExpression(source: unknown, site: Site): void {
  const { scope } = site;
  checkFlow(site);
  const names = Object.keys(scope.items ?? {});
  const roots = [...ROOTS.filter((root) => root !== "last" || scope.last), ...names];
  const expression =
    typeof source === "string" ? parseExpression(source, { roots }) : "this must be a string";
  if (typeof expression === "string") {
    note(site, `the expression cannot be read: ${expression}`);
    return;
  }
  for (const keys of expression.paths) {
    const [root, name] = keys;
    // What `vars` hold may be another thing in each run, and an expression can ask for it.
    const known = root === "vars" ? keys.slice(0, 2) : keys;
    const isBare = root === "steps" && name === undefined;
    note(site, isBare ? NAME_IT : referenceProblem(known, site));
  }
}

const NAME_IT = "an expression names the step that it reads, as in steps.a.structured";

/** Notes a key of the second edition where the application has switched these off. */
export function checkFlow(site: Noting & Pick<Site, "flow">): void {
  if (!site.flow) note(site, "when, for_each and $cel are turned off here (flow: false)");
}

/** What is wrong with a path. */
function referenceProblem(
  keys: readonly string[],
  { scope }: Pick<Site, "scope">,
): string | undefined {
  const text = keys.join(".");
  const [root = "", name = ""] = keys;
  if (root === "last" && !scope.last) return `"${text}": there is no step before this one`;
  if (root === "steps" && scope.ids.has(name) && !Object.hasOwn(scope.steps, name)) {
    return `"${text}": step "${name}" has not run by then; refer to earlier steps only`;
  }
  if (root === "vars" && isAddressId(name) && !Object.hasOwn(scope.vars, name)) {
    return `"${name}" is not a kept result of this conversation; call its tool again`;
  }
  const reading = readReference(scope, keys);
  return reading.found ? undefined : `"${text}" cannot be read: ${reading.message}`;
}

/** What a step will bring, as far as its kind says. */
export function knownResult(step: PipeStep): StepResult {
  const { id, when } = step;
  const inner = "parallel" in step ? step.parallel : "pipe" in step ? step.pipe.steps : [];
  const kind = STEP_KINDS.find((name) => name in step) ?? "tool";
  const steps = byId(inner.map(knownResult));
  const end = { type: "ended", startMs: 0, elapsedMs: 0, error: "" } as const;
  const known = toStepResult({ id, kind, when }, { ...end, inner: { steps, result: UNKNOWN } });
  if (known.kind === "for_each") return { ...known, items: UNKNOWN as unknown as StepResult[] };
  if (known.kind !== "tool") return known;
  const { hops: _, ...fields } = known;
  return { ...fields, structured: UNKNOWN } as ToolStepResult;
}
