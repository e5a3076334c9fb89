/** Milliseconds since the epoch that never go back. Where there is no `performance`, as in a workflow's sandbox, those of `Date`. */
export function createClock(): () => number {
  if (!("performance" in globalThis)) return () => Date.now();
  const { timeOrigin } = performance;
  return () => timeOrigin + performance.now();
}
