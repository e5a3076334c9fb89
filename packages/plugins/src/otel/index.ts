/** Spans of OpenTelemetry, whose API is handed in. @module */

export { otel } from "./otel.ts";
