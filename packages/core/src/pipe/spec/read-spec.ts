import { ambiguityIn, isJsonObject, measure } from "../../json/json.ts";
import { messageOf } from "../../json/plain-text.ts";
import type { PipeLimits } from "../limits.ts";
import { joinPath, toPipeError } from "./problems.ts";

/** Generous limits that only keep the checks safe, since each value has its own limit. */
const SPEC_LIMITS = { maxBytes: 16_777_216, maxDepth: 512 };

/**
 * Reads a spec from an object or a JSON text, bare or as the member `spec`. Returns a copy of limited size and depth, so that
 * later changes of the given value have no effect. Throws `invalid-pipe`.
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

const LISTS = ["steps", "parallel", "pipe"];

/** Removes members that are `null`, since models write `null` for omitted members. Values keep theirs. */
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
    refuseIf(`it is not JSON: ${messageOf(cause)}`);
  }
  refuseIf(measure(spec, SPEC_LIMITS) ?? ambiguityIn(text));
  return spec;
}

function refuseIf(message: string | false | undefined, path = "spec"): void {
  if (message) throw toPipeError([{ path, message }]);
}

/** Counts the steps of a spec of any shape. Throws `invalid-pipe` as soon as there are too many steps or levels. */
export function countSteps(spec: unknown, { maxSteps, maxDepth }: PipeLimits): number {
  let count = 0;
  const countIn = (holder: unknown, { key, at, depth }: Place): void => {
    const list = isJsonObject(holder) ? holder[key] : undefined;
    if (!Array.isArray(list)) return;
    const place = joinPath(at, key);
    if (depth > maxDepth) {
      const message = `this is nested ${depth} levels deep; at most ${maxDepth} are allowed (limits.maxDepth)`;
      throw toPipeError([{ path: place, message }]);
    }
    for (const [index, step] of list.entries()) {
      const path = joinPath(place, index);
      if (++count > maxSteps) {
        const message = `this is step ${count} of the pipe; at most ${maxSteps} may run (limits.maxSteps), including groups, children and nested steps`;
        throw toPipeError([{ path, message }]);
      }
      const groupDepth = key === "parallel" ? depth + 1 : depth;
      countIn(step, { key: "parallel", at: path, depth: groupDepth });
      countIn(Object(step).pipe, { key: "steps", at: joinPath(path, "pipe"), depth: depth + 1 });
    }
  };
  countIn(spec, { key: "steps", at: "", depth: 0 });
  return count;
}

interface Place {
  readonly key: "steps" | "parallel";
  readonly at: string;
  readonly depth: number;
}
