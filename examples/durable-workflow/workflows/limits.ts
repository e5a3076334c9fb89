/** The time in which no process runs counts as well. */
export const LIMITS = { runTimeoutMs: 7 * 86_400_000 };
