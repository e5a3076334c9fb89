/** Spans of OpenTelemetry, whose API is handed in. @module */

export { trace } from "./trace.ts";
