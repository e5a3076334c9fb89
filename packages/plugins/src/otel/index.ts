/** OpenTelemetry spans. The application passes the API. @module */

export { otel } from "./otel.ts";
