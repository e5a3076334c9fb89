import { isObject } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";

export const DEFAULT_LIMITS: Limits = {
  maxChainDepth: 5,
  callTimeoutMs: 60_000,
  maxStoreBytes: 67_108_864,
  approvalTtlMs: 86_400_000,
  runTimeoutMs: 600_000,
  maxResultBytes: 4_194_304,
  maxArgumentBytes: 1_048_576,
  maxValueDepth: 64,
  maxToolsPerServer: 10_000,
};

/** The longest time of a JavaScript timer: one with more runs at once. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Fills in the defaults of limits, or of the numbers of another `option`. Throws `invalid-options` for an unknown name or an invalid value. */
export function resolveLimits<Names extends { readonly [name in keyof Names]: number }>(
  defaults: Names,
  given: Partial<Names> = {},
  { option = "limits" }: { option?: string } = {},
): Names {
  const invalid = (name: string, why: string) => invalidOptions(`${option}.${name} ${why}`);
  if (!isObject(given)) throw invalidOptions(`${option} must be an object of numbers.`);
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

/** The limits on what servers and models may cost. All are whole numbers from 1. Timeouts are at most 2,147,483,647 ms. */
export interface Limits {
  /** The largest number of calls in one chain, including the first. Default 5. */
  readonly maxChainDepth: number;
  /** The longest time of one request to a server, whatever progress it reports. Default 60 s. */
  readonly callTimeoutMs: number;
  /** The most that the default store holds, in bytes of JSON and about 200 for each value. If it is full, it loses its oldest values. Default 64 MiB. */
  readonly maxStoreBytes: number;
  /** How long an approval counts, what was made on it is known, and waiting hops and stored results are kept. Default 24 h. */
  readonly approvalTtlMs: number;
  /**
   * The longest time of a pipe, or of a call and all that follows from it: its requests, and the answers of persons. A function of the
   * application, such as `authorize`, is waited for until `signal` aborts. Default 10 min.
   */
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
