/** Bounds on what one pipe may cost. All are whole numbers from 1; `runTimeoutMs` is at most 2,147,483,647. */
export interface PipeLimits {
  /**
   * The most steps, counting groups, children, nested steps and each hop that is made. Default 50. If hops
   * use them up inside a parallel group, which of its steps is refused depends on which answers first.
   */
  readonly maxSteps: number;
  /** The deepest nesting; the top level is 0. A pipe in a pipe and a group in a group are a level. Default 5. */
  readonly maxDepth: number;
  /** The most calls at the same time in the whole run. Default 8. */
  readonly maxParallel: number;
  /** The largest arguments of one step, as JSON text. Default 1 MiB; the host's own limit holds too. */
  readonly maxArgumentBytes: number;
  /**
   * The largest sum of all results of a run, and the largest `result`, as JSON text. Default 16 MiB. The steps of a parallel
   * group are counted when all have ended, in the order of the spec: which are dropped does not depend on time.
   */
  readonly maxKeptBytes: number;
  /** The longest that the whole run may take. Default 10 min. */
  readonly runTimeoutMs: number;
}

/** The limits of a pipe that sets none. */
export const DEFAULT_PIPE_LIMITS: PipeLimits = {
  maxSteps: 50,
  maxDepth: 5,
  maxParallel: 8,
  maxArgumentBytes: 1_048_576,
  maxKeptBytes: 16_777_216,
  runTimeoutMs: 600_000,
};
