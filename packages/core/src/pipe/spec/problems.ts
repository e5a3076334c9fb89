import { ToolrailError } from "../../errors.ts";
import { shorten } from "../../json/plain-text.ts";

/** A problem of a spec. */
export interface PipeProblem {
  /** The path in the spec: `steps[1].parallel[0].args.url`, or `spec` for the whole. */
  readonly path: string;
  /** The description of the problem and how to solve it. */
  readonly message: string;
}

/** Joins a path and a key: `steps[0]` and `args` become `steps[0].args`. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Creates one error for all problems of a spec, listed in `data.problems`. Shortens paths, which may be megabytes long. */
export function toPipeError(found: readonly PipeProblem[]): ToolrailError<"invalid-pipe"> {
  const problems = found.map(({ path, message }) => {
    return { path: shorten(path, 400), message: shorten(message, 800) };
  });
  const shown = problems.slice(0, 12).map(({ path, message }) => `${path}: ${message}`);
  if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
  const message = `The pipe is invalid; nothing was called. ${shown.join(" | ")}`;
  return new ToolrailError("invalid-pipe", message, { data: { problems } });
}
