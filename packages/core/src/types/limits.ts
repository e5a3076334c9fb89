/** The limits on what servers and models may cost. All are whole numbers from 1. Timeouts are at most 2,147,483,647 ms. */
export interface Limits {
  /** The largest number of calls in one chain, including the first. Default 5. */
  readonly maxChainDepth: number;
  /** The longest time of one call without an answer or progress. Default 60 s. */
  readonly callTimeoutMs: number;
  /**
   * The most that the default store holds, in bytes of JSON and about 200 for each value. If it is full, the largest
   * conversation loses its oldest values. Default 64 MiB.
   */
  readonly maxStoreBytes: number;
  /** The most that the default store holds for one conversation, before its oldest values are dropped. Default 8 MiB. */
  readonly maxConversationBytes: number;
  /** How long an approval counts, what was made on it is known, and waiting hops and stored results are kept. Default 24 h. */
  readonly approvalTtlMs: number;
  /** The longest time of one call, even if it reports progress. Default 5 min. */
  readonly callTotalTimeoutMs: number;
  /** The longest time of a pipe, or of a call and all that follows from it, including every wait. Default 10 min. */
  readonly runTimeoutMs: number;
  /** The largest size of a result as JSON text. Default 4 MiB. */
  readonly maxResultBytes: number;
  /** The largest size of arguments as JSON text. Default 1 MiB. */
  readonly maxArgumentBytes: number;
  /** The deepest nesting of arguments and results. Default 64. */
  readonly maxValueDepth: number;
  /** The largest number of tools of one server. Default 10,000. */
  readonly maxToolsPerServer: number;
}
