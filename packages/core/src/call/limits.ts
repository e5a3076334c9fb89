import { ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";

/** Bounds on what servers and models may cost. All are whole numbers from 1; timeouts are at most 2,147,483,647 ms. */
export interface Limits {
  /** The most calls in one chain, the first included. Default 5. */
  readonly maxChainDepth: number;
  /** The longest silence of one call; progress starts it anew. Default 60 s. */
  readonly callTimeoutMs: number;
  /**
   * The most that the default store keeps, in bytes of JSON and some for each value; beyond it the oldest of the largest
   * scope go. Default 64 MiB.
   */
  readonly maxStoreBytes: number;
  /** The most of that for one scope, such as a conversation; beyond it, its own oldest go. Default 8 MiB. */
  readonly maxScopeBytes: number;
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

export const DEFAULT_LIMITS: Limits = {
  maxChainDepth: 5,
  callTimeoutMs: 60_000,
  callTotalTimeoutMs: 300_000,
  maxStoreBytes: 67_108_864,
  maxScopeBytes: 8_388_608,
  pendingHopTtlMs: 86_400_000,
  runTimeoutMs: 600_000,
  maxResultBytes: 4_194_304,
  maxArgumentBytes: 1_048_576,
  maxValueDepth: 64,
  maxToolsPerServer: 10_000,
};

/** A timer of JavaScript that is given more goes off at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Fills in the defaults of limits, or of the numbers of another `option`. Throws `invalid-options` for an unknown name, and
 * for an invalid value.
 */
export function resolveLimits<Names extends { readonly [name in keyof Names]: number }>(
  defaults: Names,
  given: Partial<Names> = {},
  { option = "limits" }: { option?: string } = {},
): Names {
  const invalid = (name: string, why: string) =>
    new ToolrailError("invalid-options", `${option}.${name} ${why}`);
  const limits: Record<string, number> = { ...defaults };
  for (const [name, value] of Object.entries<number | undefined>(given)) {
    if (!Object.hasOwn(defaults, name)) {
      throw invalid(name, `does not exist. ${suggestName(name, Object.keys(defaults))}`);
    }
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1) {
      throw invalid(name, "must be a whole number from 1.");
    }
    if (name.endsWith("TimeoutMs") && value > MAX_TIMEOUT_MS) {
      throw invalid(name, `must be at most ${MAX_TIMEOUT_MS} (24 days): no timer waits longer.`);
    }
    limits[name] = value;
  }
  return limits as Names;
}
