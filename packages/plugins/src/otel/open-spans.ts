import type * as otel from "@opentelemetry/api";

export type OtelApi = typeof otel;

export interface SpanStart {
  readonly name: string;
  readonly runId: string;
  /** The keys of enclosing spans, the innermost first. The first open one is the parent. Default: the active span. */
  readonly under?: readonly string[];
  readonly kind?: otel.SpanKind;
  readonly attributes: otel.Attributes;
  /** The start in milliseconds since the epoch. */
  readonly startTime?: number;
  /** The W3C trace context of the span that this one follows. */
  readonly follows?: string | undefined;
}

export interface SpanEnd {
  /** The error code, which marks the span as an error. */
  readonly code?: string | undefined;
  readonly attributes?: otel.Attributes;
}

interface Opened extends Pick<SpanStart, "runId"> {
  readonly span: otel.Span;
  readonly context: otel.Context;
}

/** The maximum number of ended spans that later spans can be linked to. */
const MAX_PLACES = 10_000;

/** Creates a registry of open spans by their keys, and of the places of those that have ended. */
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
    end(key); // An interceptor may repeat an attempt.
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
    findPlace: (key: string) => places.get(key),
  };
}

export type OpenSpans = ReturnType<typeof createOpenSpans>;

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Writes a span as W3C trace context. Returns `undefined` if nothing is traced. */
export function toTraceparent(span: otel.SpanContext | undefined): string | undefined {
  if (!span) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  const text = `00-${span.traceId}-${span.spanId}-${flags}`;
  return TRACEPARENT.test(text) ? text : undefined;
}

/** Reads a span from W3C trace context. It may be of another process. Returns `undefined` for any other text. */
function parseTraceparent(text: string): otel.SpanContext | undefined {
  const [, traceId, spanId, flags = ""] = TRACEPARENT.exec(text) ?? [];
  if (!traceId || !spanId) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
