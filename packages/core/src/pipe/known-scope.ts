import type { Host } from "../host/host.ts";
import { type JsonObject, measure } from "../json.ts";
import { isAddressId } from "../reference/address.ts";
import type { CompiledStep, PipeAuthor } from "./compiled-pipe.ts";
import { mapReferences } from "./map-references.ts";
import type { PipeProblem } from "./pipe-problem.ts";
import { byId, type StepResult } from "./pipe-result.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { parseReference, readReference } from "./references.ts";
import { toStepResult } from "./step-result.ts";

/** What is known of a pipe's values at one of its steps, before anything runs: `UNKNOWN` stands for the rest. */
export interface KnownScope extends PipeScope {
  /** Ids of all steps of the list, those still to come included. */
  readonly ids: ReadonlySet<string>;
}

export const UNKNOWN = Symbol("unknown");

/** What compiling knows, and where it notes what it finds. */
export interface CompileParts {
  readonly host: Host;
  readonly author: PipeAuthor;
  readonly maxArgumentBytes: number;
  readonly kept?: JsonObject | undefined;
  readonly problems: PipeProblem[];
}

/** Where a part of a spec stands, and what it may refer to. */
export interface Site extends CompileParts {
  /** The place in the spec: `steps[0].args`. */
  readonly at: string;
  /** The place in the run: `steps.a`. */
  readonly path: string;
  readonly scope: KnownScope;
}

/** Notes what is wrong with a value of the spec, and says what of it is known before a run. */
export function checkValue(
  value: unknown,
  site: Site,
): { readonly known: unknown; readonly isLiteral: boolean } {
  const { at, scope, problems } = site;
  if (!checkSize(value, site)) return { known: UNKNOWN, isLiteral: false };
  let isLiteral = true;
  const known = mapReferences(value, {
    at,
    read(reference) {
      isLiteral = false;
      const message = referenceProblem(reference.raw, scope);
      if (message) problems.push({ path: reference.at, message });
      return UNKNOWN;
    },
  });
  return { known, isLiteral };
}

/** Notes a value that is too large. */
export function checkSize(
  value: unknown,
  { at, maxArgumentBytes, problems }: Pick<Site, "at" | "maxArgumentBytes" | "problems">,
): boolean {
  const size = measure(value, { maxBytes: maxArgumentBytes, maxDepth: 64 });
  if (!size) return true;
  problems.push({ path: at, message: `${size}; keep specs small and let steps fetch the data` });
  return false;
}

function referenceProblem(raw: unknown, scope: KnownScope): string | undefined {
  const keys = parseReference(raw);
  if (typeof keys === "string") return keys;
  const text = keys.join(".");
  const [root, name = ""] = keys;
  if (root === "last" && !scope.last) return `"${text}": there is no step before this one`;
  if (root === "steps" && scope.ids.has(name) && !Object.hasOwn(scope.steps, name)) {
    return `"${text}": step "${name}" has not run by then; refer to earlier steps only`;
  }
  if (root === "vars" && isAddressId(name) && !Object.hasOwn(scope.vars, name)) {
    return `"${name}" is no result that is kept for this conversation; call its tool again`;
  }
  const reading = readReference(scope, keys);
  return reading.found ? undefined : `"${text}" cannot be read: ${reading.message}`;
}

/** What a step will bring, as far as its kind says. */
export function knownResult(step: CompiledStep): StepResult {
  const inner = step.kind === "tool" ? [] : step.kind === "pipe" ? step.pipe.steps : step.children;
  const steps = byId(inner.map(knownResult));
  const end = { type: "ended", startMs: 0, elapsedMs: 0, error: "" } as const;
  const known = toStepResult(step, { ...end, inner: { steps, result: UNKNOWN } });
  return known.kind === "tool" ? { ...known, structured: UNKNOWN } : known;
}
