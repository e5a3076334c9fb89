import { ambiguityIn } from "../ambiguous-json.ts";
import { isJsonObject, measure } from "../json.ts";

/** Generous, since each value has its own limit: this one only keeps the checks themselves safe. */
const SPEC_LIMITS = { maxBytes: 16_777_216, maxDepth: 512 };

/** A spec of measured size and depth, or why there is none. */
type Reading = { readonly spec: unknown } | { readonly problem: string };

/** Takes a spec out of an object or a JSON text, bare or as the member `spec`. */
export function readSpec(input: unknown): Reading {
  const read = typeof input === "string" ? readText(input) : readValue(input);
  if ("problem" in read || !isJsonObject(read.spec) || !Object.hasOwn(read.spec, "spec"))
    return read;
  const { spec, ...rest } = read.spec;
  const others = Object.keys(rest);
  if (others.length > 0) {
    return { problem: `there is spec, and ${others.join(", ")} beside it; write one or the other` };
  }
  return typeof spec === "string" ? readSpec(spec) : { spec };
}

/** A copy as plain JSON: what is checked is what runs, whatever becomes of the value that was given. */
function readValue(input: unknown): Reading {
  const problem = measure(input, SPEC_LIMITS);
  return problem === undefined ? parseJson(JSON.stringify(input) ?? "null") : { problem };
}

function readText(text: string): Reading {
  if (text.length > SPEC_LIMITS.maxBytes) return { problem: "it is too long" };
  const read = parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
  const problem = "problem" in read ? undefined : ambiguityIn(text);
  return problem === undefined ? read : { problem };
}

function parseJson(text: string): Reading {
  try {
    const spec: unknown = JSON.parse(text);
    const problem = measure(spec, SPEC_LIMITS);
    return problem === undefined ? { spec } : { problem };
  } catch (cause) {
    return { problem: `it is not JSON: ${cause instanceof Error ? cause.message : cause}` };
  }
}
