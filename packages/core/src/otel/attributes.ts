import type { Attributes } from "@opentelemetry/api";
import type { ToolCall } from "../call/tool-call.ts";
import type { CallOrigin } from "../result/hop.ts";

/** Of a call, by the conventions of OpenTelemetry for MCP and GenAI. */
export function callAttributes(
  call: Pick<ToolCall, "callId" | "runId" | "origin"> & { readonly tool: string },
): Attributes {
  const { tool, callId, runId, origin } = call;
  const modelCall = origin.by === "model" ? origin.toolCallId : undefined;
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    ...(modelCall !== undefined && { "gen_ai.tool.call.id": modelCall }),
    ...runAttributes(runId, origin),
    "toolrail.call.id": callId,
  };
}

export function runAttributes(runId: string, origin?: CallOrigin): Attributes {
  return {
    "toolrail.run.id": runId,
    ...(origin && { "toolrail.origin": origin.by }),
    ...(origin?.by === "chain" && { "toolrail.chain.depth": origin.depth }),
  };
}

/** Of a pipe, which is a workflow. */
export const PIPE: Attributes = {
  "gen_ai.operation.name": "invoke_workflow",
  "gen_ai.workflow.name": "mcp_pipe",
};

/** Of what goes on when a person has decided, elsewhere perhaps. */
export const WAITING: Attributes = { "toolrail.waiting": true };
