import type { CompiledStep } from "./compiled-pipe.ts";
import type { PipeLimits } from "./pipe-limits.ts";

type Bounds = Pick<PipeLimits, "maxKeptBytes">;

/** Why the results of a step are dropped, with its path where that does not stand before the error anyhow. */
export function tooMuchText({ maxKeptBytes }: Bounds, { kind, path }: CompiledStep): string {
  const text = `The results of this pipe grew beyond ${maxKeptBytes} bytes (limits.maxKeptBytes); those of this step were dropped.`;
  return kind === "tool" ? text : `${path}: ${text}`;
}

/**
 * What is kept of a group whose children have all ended, in the order of the spec, whoever answered first: the bytes
 * in all, and for each child whether its results are too much. Each ran as if it were alone.
 */
export function weighGroup(
  { maxKeptBytes }: Bounds,
  {
    keptBytes,
    children,
  }: {
    readonly keptBytes: number;
    readonly children: readonly { readonly bytes?: number }[];
  },
): { readonly bytes: number; readonly isDropped: readonly boolean[] } {
  let bytes = 0;
  const isDropped = children.map(({ bytes: own = 0 }) => {
    const isTooMuch = keptBytes + bytes + own > maxKeptBytes;
    if (!isTooMuch) bytes += own;
    return isTooMuch;
  });
  return { bytes, isDropped };
}
