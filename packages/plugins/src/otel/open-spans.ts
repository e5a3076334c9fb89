import type * as otel from "@opentelemetry/api";

export type OtelApi = typeof otel;

export interface SpanStart {
  readonly name: string;
  readonly runId: string;
  /** Keys of spans around it, the innermost first: the first that is open is its parent. Default: the active span. */
  readonly under?: readonly string[];
  readonly kind?: otel.SpanKind;
  readonly attributes: otel.Attributes;
  /** Milliseconds since the epoch. */
  readonly startTime?: number;
  /** W3C trace context of what led to it. */
  readonly follows?: string | undefined;
}

export interface SpanEnd {
  /** Makes the span an error. */
  readonly code?: string | undefined;
  readonly attributes?: otel.Attributes;
}

interface Opened extends Pick<SpanStart, "runId"> {
  readonly span: otel.Span;
  readonly context: otel.Context;
}

/** Most spans that are remembered, for what follows from them. */
const MAX_PLACES = 10_000;

/** Spans that are open, by keys, and the places of those that have ended. */
export function createOpenSpans(api: OtelApi) {
  const tracer = api.trace.getTracer("@toolrail/core");
  const open = new Map<string, Opened>();
  const places = new Map<string, Pick<SpanStart, "under"> & { readonly text: string }>();
  const end = (key: string, { code, attributes = {} }: SpanEnd = {}): boolean => {
    const { span } = open.get(key) ?? {};
    open.delete(key);
    span?.setAttributes(attributes);
    if (code !== undefined) {
      span?.setAttribute("error.type", code).setStatus({ code: api.SpanStatusCode.ERROR });
    }
    span?.end();
    return span !== undefined;
  };
  const toLinks = (texts: readonly (string | undefined)[]) =>
    [...new Set(texts)].flatMap((text = "") => {
      const context = parseTraceparent(text);
      return context ? { context } : [];
    });
  const start = (key: string, begun: SpanStart): otel.Context => {
    const { name, runId, under = [], follows, ...bounds } = begun;
    end(key); // An attempt that an interceptor repeats.
    const around = under.find((each) => open.has(each));
    const parent = open.get(around ?? "")?.context ?? api.context.active();
    const left = around === undefined ? under.map((each) => places.get(each)?.text) : [];
    const links = toLinks([follows, left.find(Boolean)]);
    const span = tracer.startSpan(name, { ...bounds, links }, parent);
    const context = api.trace.setSpan(parent, span);
    open.set(key, { span, context, runId });
    const text = toTraceparent(span.spanContext());
    if (text !== undefined) places.set(key, { text, under });
    for (const old of places.keys()) {
      if (places.size <= MAX_PLACES) break;
      end(old);
      places.delete(old);
    }
    return context;
  };
  return {
    start,
    end,
    ofRun: (runId: string) => [...open].flatMap(([key, one]) => (one.runId === runId ? key : [])),
    placeOf: (key: string) => places.get(key),
  };
}

export type OpenSpans = ReturnType<typeof createOpenSpans>;

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The place of a span as W3C trace context writes it; `undefined` where nothing is traced. */
export function toTraceparent(span: otel.SpanContext | undefined): string | undefined {
  if (!span) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  const text = `00-${span.traceId}-${span.spanId}-${flags}`;
  return TRACEPARENT.test(text) ? text : undefined;
}

/** The span that W3C trace context tells of, in whatever process it was; `undefined` for any other text. */
function parseTraceparent(text: string): otel.SpanContext | undefined {
  const [, traceId, spanId, flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (!traceId || !spanId) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
