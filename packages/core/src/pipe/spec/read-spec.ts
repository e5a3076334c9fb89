import { ambiguityIn, isJsonObject, measure } from "../../json/json.ts";
import { messageOf } from "../../json/plain-text.ts";
import { joinPath } from "../../json/shape.ts";
import type { PipeLimits } from "../pipe.ts";
import { toPipeError } from "./spec.ts";

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

interface StepList {
  readonly at: string;
  readonly depth: number;
  /** The depth of the groups in this list. A group at the top of a pipe is no deeper than its pipe. */
  readonly groupDepth: number;
}

/** Counts the steps of a spec of any shape. Throws `invalid-pipe` as soon as there are too many steps or levels. */
export function countSteps(spec: unknown, { maxSteps, maxDepth }: PipeLimits): number {
  let count = 0;
  const countIn = (list: unknown, { at, depth, groupDepth }: StepList): void => {
    if (!Array.isArray(list)) return;
    const tooDeep = `this is nested ${depth} levels deep; at most ${maxDepth} are allowed (limits.maxDepth)`;
    refuseIf(depth > maxDepth && tooDeep, at);
    for (const [index, step] of list.entries()) {
      count++;
      const path = joinPath(at, index);
      const tooMany = `this is step ${count} of the pipe; at most ${maxSteps} may run (limits.maxSteps), including groups, children and nested steps`;
      refuseIf(count > maxSteps && tooMany, path);
      const { parallel, pipe } = Object(step);
      const [group, nested] = [`${path}.parallel`, `${path}.pipe.steps`];
      countIn(parallel, { at: group, depth: groupDepth, groupDepth: groupDepth + 1 });
      countIn(Object(pipe).steps, { at: nested, depth: depth + 1, groupDepth: depth + 1 });
    }
  };
  countIn(Object(spec).steps, { at: "steps", depth: 0, groupDepth: 0 });
  return count;
}
