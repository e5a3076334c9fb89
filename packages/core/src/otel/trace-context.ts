import type { SpanContext } from "@opentelemetry/api";

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The place of a span as W3C trace context writes it; `undefined` where nothing is traced. */
export function toTraceparent(span: SpanContext | undefined): string | undefined {
  if (!span) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  const text = `00-${span.traceId}-${span.spanId}-${flags}`;
  return TRACEPARENT.test(text) ? text : undefined;
}

/** The span that W3C trace context tells of, in whatever process it was; `undefined` for any other text. */
export function parseTraceparent(text: string): SpanContext | undefined {
  const [, traceId, spanId, flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (!traceId || !spanId) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
