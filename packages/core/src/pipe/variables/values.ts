import { ToolrailError } from "../../errors.ts";
import { type JsonObject, measure, weigh } from "../../json/json.ts";
import { joinKey, type Reading, readPath } from "../../json/path.ts";
import { messageOf } from "../../json/plain-text.ts";
import { mapReferences, parseReference } from "../spec/references.ts";
import type { Variables } from "../types.ts";
import { showStep, showSteps } from "./step-views.ts";

/** Resolves the references in a value of a checked spec. Throws `unresolved-reference` or `pipe-limit`. */
export function resolveValue(
  value: unknown,
  {
    variables,
    maxBytes,
  }: {
    readonly variables: Variables;
    readonly maxBytes: number;
  },
): unknown {
  let left = maxBytes;
  const read = ({ raw, inText }: { raw: unknown; inText: boolean }): unknown => {
    const keys = Array.isArray(raw) ? raw : parseReference(raw);
    if (typeof keys === "string") throw new ToolrailError("unresolved-reference", keys);
    const reading = readReference(variables, keys);
    if (!reading.found) {
      const isHidden = variables.covered && readReference(variables.covered, keys).found;
      const why = isHidden ? "it is inside content for the user alone" : reading.message;
      const message = `"${keys.join(".")}" cannot be read: ${why}`;
      throw new ToolrailError("unresolved-reference", message);
    }
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
  const built = mapReferences(value, { at: "", join: joinKey, read });
  const size = measure(built, { maxBytes, maxDepth: 256 });
  if (!size) return built;
  const message = `the value was not passed on: ${size}; select less of it, or raise the limits of the pipe`;
  throw new ToolrailError("pipe-limit", message);
}

type PathRoots = Omit<Variables, "keptBytes">;

/** Reads own properties of plain objects and arrays, and the JSON in the text of a step. */
export function readReference(variables: PathRoots, keys: readonly string[]): Reading {
  const { vars, steps, last, opaque } = variables;
  const [root, id = ""] = keys;
  if (root !== "steps" && root !== "last") return readPath({ vars }, { keys, opaque });
  const isLast = root === "last";
  const step = isLast ? last : Object.hasOwn(steps, id) ? steps[id] : undefined;
  if (!step) return readPath(createRoots(variables), { keys, opaque });
  const path = { keys, from: isLast ? 1 : 2, opaque };
  const reading = readPath(showStep(step), path);
  if (reading.found || !keys.includes("json")) return reading;
  try {
    return readPath(showStep(step, true), path);
  } catch (cause) {
    return { found: false, message: messageOf(cause) }; // The text is not JSON.
  }
}

function createRoots({ vars, steps, last }: PathRoots): JsonObject {
  const roots = { vars, steps: showSteps(steps) };
  return last === undefined ? roots : { ...roots, last: showStep(last) };
}
