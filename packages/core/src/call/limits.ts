import { isObject } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { Limits } from "../types/limits.ts";

export const DEFAULT_LIMITS: Limits = {
  maxChainDepth: 5,
  callTimeoutMs: 60_000,
  callTotalTimeoutMs: 300_000,
  maxStoreBytes: 67_108_864,
  maxConversationBytes: 8_388_608,
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
