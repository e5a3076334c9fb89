import type { CallOptions, CallRequest } from "../types/call-options.ts";
import type { Host } from "./host.ts";
import { engineOf } from "./host-engine.ts";

/** A question that a framework has asked under an id of its own. */
export interface FrameworkQuestion {
  /** An id that no other question has. The call that it allows is made once under this id. */
  readonly id: string;
  /** The time from now for which it is remembered that the call was made. Default: `limits.approvalTtlMs`. */
  readonly ttlMs?: number;
}

/**
 * Describes a question that a person has approved, for `approved` of the call, in frameworks that keep the question and the answer
 * themselves. Returns `undefined` for a call that is refused, approved or not: it has to be made without an approval.
 */
export function describeApproval(
  host: Host,
  request: CallRequest,
  { id, ttlMs, ...options }: FrameworkQuestion & CallOptions,
): Promise<string | undefined> {
  const engine = engineOf(host);
  return engine.describeApproval(request, {
    ...options,
    id,
    ttlMs: ttlMs ?? engine.approvalTtlMs,
  });
}
