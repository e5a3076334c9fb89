import { type Hop, toRef } from "../result/hop.ts";
import { toolId } from "../types/tool.ts";

/** A finished call without its content, as a user interface may show it. */
export interface HopSummary {
  /** `server.tool`. */
  readonly tool: string;
  /** False if the result has `isError`. */
  readonly ok: boolean;
  readonly durationMs: number;
  /** True if the person who approved the call changed its arguments. */
  readonly changed?: true;
}

/** Summarises a finished call, without its content. */
export function toHopSummary(hop: Hop): HopSummary {
  const { result, durationMs, changedFrom } = hop;
  const changed = changedFrom && ({ changed: true } as const);
  return { tool: toolId(toRef(hop)), ok: result.isError !== true, durationMs, ...changed };
}
