import { ToolrailError } from "@toolrail/core";
import { joinKey, measure, weigh } from "@toolrail/json";
import { NO_FLOW } from "../compile/no-flow.ts";
import { mapReferences } from "../spec/map-references.ts";
import { parseReference, readReference } from "../spec/references.ts";
import type { PipeScope } from "../types.ts";

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
  const evaluator = scope.flow?.createEvaluator(scope);
  const evaluate = (source: unknown, at: string): unknown => {
    if (!evaluator) throw new ToolrailError("unresolved-reference", NO_FLOW);
    const onPath = (keys: readonly string[]) => onRead?.({ at, keys, inText: true });
    const evaluation = evaluator(String(source), onPath);
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
