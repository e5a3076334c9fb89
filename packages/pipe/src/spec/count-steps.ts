import { isJsonObject } from "@toolrail/json";
import type { PipeLimits } from "../limits.ts";
import { joinPath, toPipeError } from "./problems.ts";

/** Counts the steps of a spec of any shape. Throws `invalid-pipe` at the first step or level that is one too many. */
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
        const message = `this is step ${count} of the pipe; at most ${maxSteps} may run (limits.maxSteps), groups, children and nested steps counted`;
        throw toPipeError([{ path, message }]);
      }
      const groupDepth = key === "parallel" ? depth + 1 : depth;
      countIn(step, { key: "parallel", at: path, depth: groupDepth });
      countIn(Object(step).pipe, { key: "steps", at: joinPath(path, "pipe"), depth: depth + 1 });
      // Items are counted when they are known; here, only how deep they go.
      const { pipe } = Object(Object(step).do);
      countIn(pipe, { key: "steps", at: joinPath(path, "do.pipe"), depth: depth + 1 });
    }
  };
  countIn(spec, { key: "steps", at: "", depth: 0 });
  return count;
}

/** A list of steps where it stands. */
interface Place {
  readonly key: "steps" | "parallel";
  readonly at: string;
  readonly depth: number;
}
