/** Limits of one pipe. All are whole numbers from 1. `runTimeoutMs` is at most 2,147,483,647. */
export interface PipeLimits {
  /**
   * The maximum number of steps: groups, children, nested steps and hops. Default 50. If the hops of a parallel group exceed
   * it, the order of the answers decides which step is refused.
   */
  readonly maxSteps: number;
  /** The maximum depth. The top level is 0, and each nested pipe or group adds one. Default 5. */
  readonly maxDepth: number;
  /** The maximum number of calls at the same time in a run. Default 8. */
  readonly maxParallel: number;
  /** The maximum size in bytes of the arguments of one step as JSON text. Default 1 MiB. The host's own limit also applies. */
  readonly maxArgumentBytes: number;
  /**
   * The maximum size in bytes of all results of a run, and of `result`, as JSON text. Default 16 MiB. The steps of a parallel
   * group are counted when all have ended, in the order of the spec, so that timing does not decide which results are dropped.
   */
  readonly maxKeptBytes: number;
  /** The maximum time of a run in milliseconds. Default 10 min. */
  readonly runTimeoutMs: number;
}

/** The default limits of a pipe. */
export const DEFAULT_PIPE_LIMITS: PipeLimits = {
  maxSteps: 50,
  maxDepth: 5,
  maxParallel: 8,
  maxArgumentBytes: 1_048_576,
  maxKeptBytes: 16_777_216,
  runTimeoutMs: 600_000,
};
