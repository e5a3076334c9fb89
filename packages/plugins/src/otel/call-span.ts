import type { Attributes } from "@opentelemetry/api";
import type { CallOrigin, ToolCall } from "@toolrail/core";
import type { OpenSpans, SpanStart } from "./open-spans.ts";

export const spanKey = {
  call: (callId: string) => `call ${callId}`,
  chain: (runId: string) => `chain ${runId}`,
  guard: (runId: string) => `guard ${runId}`,
  pipe: (runId: string) => `pipe ${runId}`,
  step: (runId: string, path: string) => `step ${runId} ${path}`,
};

/** The start of a call's span, by the conventions of OpenTelemetry for MCP and GenAI. */
export function callSpan(
  spans: OpenSpans,
  call: Pick<ToolCall, "callId" | "runId" | "origin"> & { readonly tool: string },
): Omit<SpanStart, "name"> {
  const { tool, callId, runId, origin } = call;
  const modelCall = origin.by === "model" ? origin.toolCallId : undefined;
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    ...(modelCall !== undefined && { "gen_ai.tool.call.id": modelCall }),
    ...runAttributes(runId, origin),
    "toolrail.call.id": callId,
  };
  return { runId, under: aroundCall(spans, call), follows: origin.traceparent, attributes };
}

export function runAttributes(runId: string, origin?: CallOrigin): Attributes {
  return {
    "toolrail.run.id": runId,
    ...(origin && { "toolrail.origin": origin.by }),
    ...(origin?.by === "chain" && { "toolrail.chain.depth": origin.depth }),
  };
}

/** Lists the spans around a call: its step, or the step of the call that it follows, or else its chain or guarded query. */
function aroundCall(
  spans: OpenSpans,
  { runId, origin }: Pick<ToolCall, "runId" | "origin">,
): readonly string[] {
  if (origin.by === "pipe") {
    return [spanKey.step(runId, origin.path), ...aroundStep(runId, origin.path)];
  }
  const cause = origin.by === "chain" ? spans.findPlace(spanKey.call(origin.causedBy)) : undefined;
  return cause?.under ?? [spanKey.chain(runId), spanKey.guard(runId)];
}

/** Lists the spans around a step of a pipe: those of the paths that its path begins with, and the pipe. */
export function aroundStep(runId: string, path: string): string[] {
  const parts = path.split(".");
  const outer = parts.map((_, at) => parts.slice(0, at).join("."));
  return [...outer.reverse().map((each) => spanKey.step(runId, each)), spanKey.pipe(runId)];
}
