import type { Revision } from "./clients.ts";

/** What the suite has for clients, without authorization and extensions. */
export const SCENARIOS: Readonly<Record<Revision, readonly string[]>> = {
  "2025-11-25": [
    "elicitation-sep1034-client-defaults",
    "initialize",
    "json-schema-2020-12-preservation",
    "sse-retry",
    "tools_call",
  ],
  "2026-07-28": [
    "http-standard-headers",
    "json-schema-2020-12-preservation",
    "json-schema-ref-no-deref",
    "request-metadata",
    "sep-2322-client-request-state",
    "tools_call",
  ],
};

/** What a host does not support: arguments as HTTP headers (`x-mcp-header`, SEP-2243). */
export const UNSUPPORTED: readonly string[] = ["http-custom-headers", "http-invalid-tool-headers"];

/**
 * Not run, by client: the client of the AI SDK does not take up a response that was cut off, and waits for it
 * without end. So it does behind a host.
 */
export const WAITS_FOR_EVER: Readonly<Record<string, readonly string[]>> = {
  "@ai-sdk/mcp": ["sse-retry"],
};

/** Points that measure time, which other work on the machine changes. Left out of the comparison. */
export const TIMED: readonly string[] = ["client-sse-retry-timing"];
