/** Bounds on what servers and models may cost. All are whole numbers from 1; timeouts are at most 2,147,483,647 ms. */
export interface Limits {
  /** The most calls in one chain, the first included. Default 5. */
  readonly maxChainDepth: number;
  /** The longest silence of one call; progress starts it anew. Default 60 s. */
  readonly callTimeoutMs: number;
  /**
   * The most that the default store keeps, in bytes of JSON and some for each value; beyond it the oldest of the largest
   * conversation go. Default 64 MiB.
   */
  readonly maxStoreBytes: number;
  /** The most of that for one conversation; beyond it, its own oldest go. Default 8 MiB. */
  readonly maxConversationBytes: number;
  /** How long a hop may wait, such as for an approval, and the results that it needs are kept. Default 24 h. */
  readonly pendingHopTtlMs: number;
  /** The longest that one call may take, whatever progress it reports. Default 5 min. */
  readonly callTotalTimeoutMs: number;
  /** The longest that a call with all that follows from it, or a pipe, may take, whatever it waits for. Default 10 min. */
  readonly runTimeoutMs: number;
  /** The largest result, as JSON text. Default 4 MiB. */
  readonly maxResultBytes: number;
  /** The largest arguments, as JSON text. Default 1 MiB. */
  readonly maxArgumentBytes: number;
  /** The deepest nesting of arguments and results. Default 64. */
  readonly maxValueDepth: number;
  /** The most tools of one server. Default 10,000. */
  readonly maxToolsPerServer: number;
}
