/** OpenTelemetry spans. The application passes the API. @module */

import type * as otelApi from "@opentelemetry/api";
import type { ToolCall } from "../call/call-options.ts";
import type { HostEvent } from "../call/events.ts";
import type { Plugin } from "../call/plugin.ts";
import { ToolrailError } from "../errors.ts";

/** All of `@opentelemetry/api`. */
export type OtelApi = typeof otelApi;

/**
 * Makes one span for each call: `createHost({ servers, use: [otel(api)] })`, where `api` is all of `@opentelemetry/api`. The span
 * is active during the request, whose `_meta` contains W3C trace context. Its parent is the active span of the application. A
 * call that is refused has a span with the code of its error. No span contains arguments, results or the texts of errors.
 */
export function otel(api: OtelApi): Plugin {
  if (!api?.trace || !api.context || !api.propagation) {
    const message =
      'otel takes all of @opentelemetry/api: `import * as api from "@opentelemetry/api"`, then `use: [otel(api)]`.';
    throw new ToolrailError("invalid-options", message);
  }
  const tracer = api.trace.getTracer("@toolrail/core");
  const fail = (span: otelApi.Span, code: string) =>
    span.setAttribute("error.type", code).setStatus({ code: api.SpanStatusCode.ERROR });
  return {
    name: "otel",
    async wrapCall(call, next) {
      const { tool } = call;
      const attributes = { ...describeCall(call, tool.name), "toolrail.server": tool.server };
      const kind = api.SpanKind.CLIENT;
      const span = tracer.startSpan(`tools/call ${tool.name}`, { kind, attributes });
      try {
        const active = api.trace.setSpan(api.context.active(), span);
        const result = await api.context.with(active, () => next(call));
        if (Object(result).isError === true) fail(span, "tool_error");
        return result;
      } catch (error) {
        const { code, cause } = ToolrailError.isInstance(error) ? error : { code: "_OTHER" };
        const { code: status } = Object(cause) as { readonly code?: unknown };
        if (code === "protocol" && typeof status === "number")
          span.setAttribute("rpc.response.status_code", String(status));
        fail(span, code);
        throw error;
      } finally {
        span.end();
      }
    },
    onEvent(event) {
      if (!isRefused(event)) return;
      const startTime = event.atMs - event.elapsedMs;
      const attributes = describeCall(event, event.tool);
      // A model may have made up the name of the tool.
      const span = tracer.startSpan("tools/call", { startTime, attributes });
      fail(span, event.code ?? "_OTHER");
      span.end();
    },
    requestMeta() {
      const context = api.context.active();
      const carrier: Record<string, string> = {};
      const span = api.trace.getSpanContext(context);
      if (span && api.isSpanContextValid(span)) {
        const flags = span.traceFlags.toString(16).padStart(2, "0");
        carrier.traceparent = `00-${span.traceId}-${span.spanId}-${flags}`;
      }
      api.propagation.inject(context, carrier);
      return carrier;
    },
  };
}

/** True if a call was refused before its request, and is not merely waiting for a person. */
function isRefused(event: HostEvent): event is Extract<HostEvent, { readonly type: "call" }> {
  if (event.type !== "call" || event.outcome === "ok") return false;
  return event.stage !== "call" && event.stage !== "result" && event.code !== "needs-approval";
}

/** Returns the attributes of a call, by the conventions of OpenTelemetry for MCP and GenAI. */
function describeCall(
  { callId, runId, origin }: Pick<ToolCall, "callId" | "runId" | "origin">,
  tool: string,
): otelApi.Attributes {
  const modelCall = origin.by === "model" ? origin.toolCallId : undefined;
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    ...(modelCall !== undefined && { "gen_ai.tool.call.id": modelCall }),
    "toolrail.call.id": callId,
    "toolrail.run.id": runId,
    "toolrail.origin": origin.by,
    ...(origin.by === "chain" && { "toolrail.chain.depth": origin.depth }),
  };
}
