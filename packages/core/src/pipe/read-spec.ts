import { ambiguityIn } from "../ambiguous-json.ts";
import { isJsonObject, measure } from "../json.ts";
import { toPipeError } from "./pipe-problem.ts";

/** Generous, since each value has its own limit: this one only keeps the checks themselves safe. */
const SPEC_LIMITS = { maxBytes: 16_777_216, maxDepth: 512 };

/**
 * Takes a spec out of an object or a JSON text, bare or as the member `spec`. It is a copy of measured size
 * and depth: what is checked is what runs, whatever becomes of the value that was given. Throws `invalid-pipe`.
 */
export function readSpec(input: unknown): unknown {
  if (typeof input !== "string") refuseIf(measure(input, SPEC_LIMITS));
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "null");
  const read = withoutNulls(parseText(text));
  if (!isJsonObject(read) || !Object.hasOwn(read, "spec")) return read;
  const { spec, ...rest } = read;
  const others = Object.keys(rest).join(", ");
  refuseIf(others && `it has both spec and ${others}; write one or the other`);
  return typeof spec === "string" ? readSpec(spec) : withoutNulls(spec);
}

const LISTS = ["steps", "parallel", "pipe", "do"];

/** A spec without the members that are `null`, as models write what they leave out. Values keep theirs. */
function withoutNulls(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutNulls);
  if (!isJsonObject(part)) return part;
  const members = Object.entries(part).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([key, value]) => [key, LISTS.includes(key) ? withoutNulls(value) : value]),
  );
}

function parseText(text: string): unknown {
  refuseIf(text.length > SPEC_LIMITS.maxBytes && "it is too long");
  let spec: unknown;
  try {
    spec = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (cause) {
    refuseIf(`it is not JSON: ${cause instanceof Error ? cause.message : cause}`);
  }
  refuseIf(measure(spec, SPEC_LIMITS) ?? ambiguityIn(text));
  return spec;
}

function refuseIf(message: string | false | undefined): void {
  if (message) throw toPipeError([{ path: "spec", message }]);
}
