// Tracing with OpenTelemetry, whose API is handed in. Everything exported here is public API.

export { trace } from "./trace.ts";
