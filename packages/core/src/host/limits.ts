import { ToolrailError } from "../errors.ts";

/** Bounds on what servers and models may cost. All are whole numbers from 1; timeouts up to 2,147,483,647. */
export interface Limits {
  /** Most calls in one chain, the first included. Default 5. */
  readonly maxChainDepth: number;
  /** Longest silence of one call; progress starts it anew. Default 60 s. */
  readonly callTimeoutMs: number;
  /** Most hops in memory that are decided and not yet made; the oldest are forgotten. Default 1,000. */
  readonly maxPendingHops: number;
  /** How long such a hop may wait, as for an approval. Default 24 h. */
  readonly pendingHopTtlMs: number;
  /** Longest one call may take, whatever progress it reports. Default 5 min. */
  readonly callTotalTimeoutMs: number;
  /** Longest a chain or pipe may take. Default 10 min. */
  readonly runTimeoutMs: number;
  /** Largest result, as JSON text. Default 4 MiB. */
  readonly maxResultBytes: number;
  /** Largest arguments, as JSON text. Default 1 MiB. */
  readonly maxArgumentBytes: number;
  /** Deepest nesting of arguments and results. Default 64. */
  readonly maxValueDepth: number;
  /** Most pages of one `tools/list`. Default 64. */
  readonly maxListPages: number;
  /** Most tools of one server. Default 10,000. */
  readonly maxToolsPerServer: number;
}

const DEFAULTS: Limits = {
  maxChainDepth: 5,
  callTimeoutMs: 60_000,
  callTotalTimeoutMs: 300_000,
  maxPendingHops: 1_000,
  pendingHopTtlMs: 86_400_000,
  runTimeoutMs: 600_000,
  maxResultBytes: 4_194_304,
  maxArgumentBytes: 1_048_576,
  maxValueDepth: 64,
  maxListPages: 64,
  maxToolsPerServer: 10_000,
};

/** A timer of JavaScript that is given more goes off at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Fills in the defaults. Throws `invalid-options` for an unknown name or a value that is no limit. */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new ToolrailError(
        "invalid-options",
        `limits.${name} is not a limit; use one of ${Object.keys(DEFAULTS).join(", ")}.`,
      );
    }
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 1)) {
      throw new ToolrailError("invalid-options", `limits.${name} must be a whole number from 1.`);
    }
    if (name.endsWith("TimeoutMs") && value !== undefined && value > MAX_TIMEOUT_MS) {
      throw new ToolrailError(
        "invalid-options",
        `limits.${name} must be at most ${MAX_TIMEOUT_MS} (24 days): no timer waits longer.`,
      );
    }
  }
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...Object.fromEntries(set) };
}
