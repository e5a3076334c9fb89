/** OpenTelemetry spans. The application passes the API. @module */

import { ToolrailError } from "@toolrail/core";
import type { HostPlugin } from "@toolrail/core/plugin";
import { callSpan, spanKey } from "./call-span.ts";
import { createOpenSpans, type OpenSpans, type OtelApi, toTraceparent } from "./open-spans.ts";
import { createReport } from "./report.ts";

/**
 * Makes spans for calls, chains, pipes, steps and guarded queries: `createHost({ servers, use: [otel(api)] })`, where `api` is
 * all of `@opentelemetry/api`. The span of a call is active during its request, whose `_meta` contains W3C trace context. Work
 * that continues after an approval or in another process is linked to the span that it follows. No span contains arguments,
 * results or the texts of errors.
 */
export function otel(api: OtelApi): () => HostPlugin {
  if (!api?.trace || !api.context || !api.propagation) {
    const message =
      'otel takes all of @opentelemetry/api: `import * as api from "@opentelemetry/api"`, then `use: [otel(api)]`.';
    throw new ToolrailError("invalid-options", message);
  }
  return () => {
    const spans = createOpenSpans(api);
    return {
      name: "otel",
      onEvent: createReport(spans),
      wrapRequest: traceCalls(api, spans),
      requestMeta() {
        const context = api.context.active();
        const carrier: Record<string, string> = {};
        const traceparent = toTraceparent(api.trace.getSpanContext(context));
        if (traceparent !== undefined) carrier.traceparent = traceparent;
        api.propagation.inject(context, carrier);
        return carrier;
      },
      traceparentOf(id) {
        const keys = [spanKey.call(id), spanKey.chain(id), spanKey.pipe(id)];
        return keys.map((key) => spans.findPlace(key)?.text).find(Boolean);
      },
    };
  };
}

/** Makes a span for each request. The event with the outcome of the call ends it. */
function traceCalls(api: OtelApi, spans: OpenSpans): NonNullable<HostPlugin["wrapRequest"]> {
  return async (call, next) => {
    const { tool, callId } = call;
    const begun = callSpan(spans, { ...call, tool: tool.name });
    const context = spans.start(spanKey.call(callId), {
      ...begun,
      name: `tools/call ${tool.name}`,
      kind: api.SpanKind.CLIENT,
      attributes: { ...begun.attributes, "toolrail.server": tool.server },
    });
    try {
      return await api.context.with(context, next);
    } catch (error) {
      const { cause } = ToolrailError.isInstance(error, "protocol") ? error : {};
      const { code } = (cause ?? {}) as { readonly code?: unknown };
      const span = typeof code === "number" ? api.trace.getSpan(context) : undefined;
      span?.setAttribute("rpc.response.status_code", String(code));
      throw error;
    }
  };
}
