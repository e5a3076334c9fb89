import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";

const exporter = new InMemorySpanExporter();
/** The ids of spans, as they began: two clocks meet in their times, so these may say otherwise. */
const begun: string[] = [];

const order: SpanProcessor = {
  onStart: (span) => void begun.push(span.spanContext().spanId),
  onEnd() {},
  async forceFlush() {},
  async shutdown() {},
};

/** Registers an exporter in memory, for all tests of a file. */
export function startTracing(): void {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spanProcessors = [order, new SimpleSpanProcessor({ exporter })];
  api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
}

/** Runs work under a span, as a server runs a request. */
export function under<T>(name: string, work: () => Promise<T>): Promise<T> {
  return api.trace.getTracer("test").startActiveSpan(name, async (span) => {
    try {
      return await work();
    } finally {
      span.end();
    }
  });
}

/** The spans that have ended since the last time, those that began first first. */
export function takeSpans(): ReadableSpan[] {
  const spans = exporter.getFinishedSpans();
  exporter.reset();
  const rank = (span: ReadableSpan) => begun.indexOf(span.spanContext().spanId);
  return spans.toSorted((a, b) => rank(a) - rank(b));
}

/** Spans as lines, each under its parent: `name !error.type`. */
export function drawSpans(spans: readonly ReadableSpan[]): string[] {
  const named = new Set(spans.map((span) => span.spanContext().spanId));
  const draw = (parent: string | undefined, indent: string): string[] =>
    spans.flatMap((span) => {
      const around = span.parentSpanContext?.spanId;
      const isRoot = around === undefined || !named.has(around);
      if (parent === undefined ? !isRoot : around !== parent) return [];
      const error = span.attributes["error.type"];
      const line = `${indent}${span.name}${error ? ` !${error}` : ""}`;
      return [line, ...draw(span.spanContext().spanId, `${indent}  `)];
    });
  return draw(undefined, "");
}
