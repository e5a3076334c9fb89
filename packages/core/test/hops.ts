import type { JsonObject } from "@toolrail/core/json";
import type { CallToolResult, ChainEnd, ChainResult, Hop } from "../src/index.ts";

/** A finished call, as a host records it. */
export function hopOf(
  result: CallToolResult,
  { server = "bank", tool = "a", args = {} as JsonObject } = {},
): Hop {
  return {
    callId: "call-1",
    runId: "run-1",
    server,
    tool,
    arguments: args,
    origin: { by: "application" },
    result,
    output: { status: "unchecked" },
    startedAtMs: 1_767_225_600_000,
    durationMs: 1,
  };
}

export function chainOf(ended: ChainEnd, hops: readonly Hop[]): ChainResult {
  return { runId: "run-1", ended, hops };
}
