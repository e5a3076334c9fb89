import { createWarnings } from "../call/voice.ts";
import { ToolrailError } from "../errors.ts";
import { checkOptions } from "../host/check-options.ts";
import type { HostOptions } from "../host/host-options.ts";
import type { Interceptor } from "../types/tool-call.ts";
import { callSpan, keyOf } from "./call-span.ts";
import { createOpenSpans, type OpenSpans, type OtelApi, toTraceparent } from "./open-spans.ts";
import { createReport } from "./report.ts";

/**
 * Adds spans for calls, chains, pipes, steps and guarded queries to the options of a host:
 * `createHost(trace(api, { servers }))`, where `api` is all of `@opentelemetry/api`. The span of a call is active around
 * its request, whose `_meta` bears W3C trace context; what goes on after an approval or in another process is linked to
 * what it follows from. No span holds arguments, results or the texts of errors.
 */
export function trace<const Options extends HostOptions>(api: OtelApi, options: Options): Options {
  if (!api?.trace || !api.context || !api.propagation) {
    const message =
      'trace takes all of @opentelemetry/api: `import * as api from "@opentelemetry/api"`, then `trace(api, { servers })`.';
    throw new ToolrailError("invalid-options", message);
  }
  checkOptions(options);
  const spans = createOpenSpans(api);
  const report = createReport(spans);
  const { intercept = [], onEvent, requestMeta } = options;
  // A host with a listener writes nothing to the console.
  const listener = onEvent ?? (options.silent ? () => {} : createWarnings());
  const traced: Partial<HostOptions> = {
    intercept: [...intercept, traceCalls(api, spans)],
    onEvent(event) {
      report(event);
      return listener(event);
    },
    async requestMeta(request) {
      const context = api.context.active();
      const carrier: Record<string, string> = {};
      const traceparent = toTraceparent(api.trace.getSpanContext(context));
      if (traceparent !== undefined) carrier.traceparent = traceparent;
      api.propagation.inject(context, carrier);
      return { ...carrier, ...(await requestMeta?.(request)) };
    },
    traceparentOf(id) {
      const keys = [keyOf.call(id), keyOf.chain(id), keyOf.pipe(id)];
      return keys.map((key) => spans.placeOf(key)?.text).find(Boolean);
    },
  };
  return { ...options, ...traced };
}

/** The innermost interceptor: a span for each request, which ends when the door has told what became of the call. */
function traceCalls(api: OtelApi, spans: OpenSpans): Interceptor {
  return async (call, next) => {
    const { tool, callId } = call;
    const begun = callSpan(spans, { ...call, tool: tool.name });
    const context = spans.start(keyOf.call(callId), {
      ...begun,
      name: `tools/call ${tool.name}`,
      kind: api.SpanKind.CLIENT,
      attributes: { ...begun.attributes, "toolrail.server": tool.server },
    });
    try {
      return await api.context.with(context, () => next(call));
    } catch (error) {
      const { cause } = ToolrailError.isInstance(error, "protocol") ? error : {};
      const { code } = (cause ?? {}) as { readonly code?: unknown };
      const span = typeof code === "number" ? api.trace.getSpan(context) : undefined;
      span?.setAttribute("rpc.response.status_code", String(code));
      throw error;
    }
  };
}
