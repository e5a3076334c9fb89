import { ToolrailError } from "@toolrail/core";
import { shorten } from "@toolrail/json";

/** One thing that is wrong with a spec. */
export interface PipeProblem {
  /** The place in the spec: `steps[1].parallel[0].args.url`, or `spec` for the whole. */
  readonly path: string;
  /** Says what is wrong there, and what to do about it. */
  readonly message: string;
}

/** The path of a member: `steps[0]` and `args` make `steps[0].args`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** All problems of a spec as one error, one by one in `data.problems`. Paths of a spec may be megabytes long. */
export function toPipeError(found: readonly PipeProblem[]): ToolrailError<"invalid-pipe"> {
  const problems = found.map(({ path, message }) => {
    return { path: shorten(path, 400), message: shorten(message, 800) };
  });
  const shown = problems.slice(0, 12).map(({ path, message }) => `${path}: ${message}`);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  const message = `The pipe is invalid; nothing was called. ${shown.join(" | ")}`;
  return new ToolrailError("invalid-pipe", message, { data: { problems } });
}

/** Says that a spec uses what no operator has switched on. */
export const NO_FLOW =
  'when, for_each and $cel are switched off here: write each call as a step. The application switches them on with flow() of "@toolrail/pipe/flow".';
