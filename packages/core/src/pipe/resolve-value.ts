import { ToolrailError } from "../errors.ts";
import { type Budget, createBudget } from "../expression/budget.ts";
import { type Evaluation, parseExpression } from "../expression/expression.ts";
import { type JsonObject, measure, weigh } from "../json.ts";
import { joinKey } from "../path.ts";
import { mapReferences } from "./map-references.ts";
import type { PipeScope } from "./pipe-scope.ts";
import { parseReference, readReference, rootsOf } from "./references.ts";

/** What was read: where that stands, its keys, and whether a text or an expression took it in. */
export interface ReadReference {
  readonly at: string;
  readonly keys: readonly string[];
  readonly inText: boolean;
}

/**
 * A value of a checked spec with what its references read and its expressions come to. These share one budget.
 * Throws `unresolved-reference` or `pipe-limit`.
 */
export function resolveValue(
  value: unknown,
  {
    scope,
    maxBytes,
    onRead,
  }: {
    readonly scope: PipeScope;
    readonly maxBytes: number;
    readonly onRead?: ((read: ReadReference) => void) | undefined;
  },
): unknown {
  let left = maxBytes;
  const budget = createBudget();
  const evaluate = (source: unknown, at: string): unknown => {
    const onPath = (keys: readonly string[]) => onRead?.({ at, keys, inText: true });
    const evaluation = evaluateIn(scope, { source: String(source), budget, onPath });
    if (evaluation.ok) return evaluation.value;
    throw new ToolrailError("unresolved-reference", `$cel: ${evaluation.message}`);
  };
  const read = ({ raw, inText, at }: { raw: unknown; inText: boolean; at: string }): unknown => {
    const keys = Array.isArray(raw) ? raw : parseReference(raw, scope);
    if (typeof keys === "string") throw new ToolrailError("unresolved-reference", keys);
    const reading = readReference(scope, keys);
    if (!reading.found) {
      const isHidden = scope.covered && readReference(scope.covered, keys).found;
      const why = isHidden ? "it would stand in what is for the user alone" : reading.message;
      const message = `"${keys.join(".")}" cannot be read: ${why}`;
      throw new ToolrailError("unresolved-reference", message);
    }
    onRead?.({ at, keys, inText });
    const { value: found } = reading;
    if (!inText) return found;
    if (found === null || found === undefined) return "";
    const weight = weigh(found, { maxBytes: left, maxDepth: 256 });
    if (typeof weight === "string") {
      const text = keys.join(".");
      const message = `"${text}" makes a value larger than ${maxBytes} bytes; pass it as {"$ref": "${text}"}, or less of it`;
      throw new ToolrailError("pipe-limit", message);
    }
    left -= weight;
    return typeof found === "string" ? found : JSON.stringify(found);
  };
  const built = mapReferences(value, {
    at: "",
    join: joinKey,
    read({ raw, form, at }) {
      return form === "cel" ? evaluate(raw, at) : read({ raw, at, inText: form === "text" });
    },
  });
  const size = measure(built, { maxBytes, maxDepth: 256 });
  if (!size) return built;
  const message = `the value was not passed on: ${size}; select less of it, or raise the limits of the pipe`;
  throw new ToolrailError("pipe-limit", message);
}

/**
 * Evaluates an expression of a checked spec. One that a model wrote reads nothing that is for the user alone: neither
 * its value nor whether the step runs may tell of it.
 */
function evaluateIn(
  scope: PipeScope,
  {
    source,
    budget = createBudget(),
    onPath,
  }: {
    readonly source: string;
    readonly budget?: Budget;
    /** Told of each path that it reads. */
    onPath?(keys: readonly string[]): void;
  },
): Evaluation {
  const view = (scope.author === "model" && scope.covered) || scope;
  const roots = rootsOf(view);
  const expression = parseExpression(source, { roots: Object.keys(roots) });
  if (typeof expression === "string") return { ok: false, message: expression };
  if (onPath) expression.paths.forEach(onPath);
  for (const keys of view.opaque === undefined ? [] : expression.paths) {
    const reading = readReference(view, keys);
    if (!reading.found || reading.value !== view.opaque) continue;
    if (view === scope) return { ok: true, value: view.opaque };
    const message = `"${keys.join(".")}" is only for the user: a model's expression may not read it`;
    return { ok: false, message };
  }
  return expression.evaluate({ ...roots, steps: withoutNulls(roots.steps) }, budget);
}

/** Whether a step is to run. A string says why that cannot be known. */
export function decideWhen(scope: PipeScope, source: string): boolean | string {
  const evaluation = evaluateIn(scope, { source });
  if (!evaluation.ok) return `when: ${evaluation.message}`;
  const { value } = evaluation;
  return typeof value === "boolean" ? value : "when: the expression must return true or false";
}

/** The steps as expressions see them: `has(steps.a.structured)` is false where there is nothing. */
function withoutNulls(steps: unknown): JsonObject {
  const entries = Object.entries(steps as JsonObject).map(([id, step]) => {
    const { structured, ...shown } = step as JsonObject;
    return [id, structured === null ? shown : step];
  });
  return Object.fromEntries(entries);
}
