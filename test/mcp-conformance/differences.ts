import type { JsonObject } from "@toolrail/json";
import type { Revision } from "./clients.ts";

/** What the suite has for clients, authorization and extensions apart. All of it is run. */
export const SCENARIOS: Readonly<Record<Revision, readonly string[]>> = {
  "2025-11-25": [
    "elicitation-sep1034-client-defaults",
    "initialize",
    "json-schema-2020-12-preservation",
    "sse-retry",
    "tools_call",
  ],
  "2026-07-28": [
    "http-custom-headers",
    "http-invalid-tool-headers",
    "http-standard-headers",
    "json-schema-2020-12-preservation",
    "json-schema-ref-no-deref",
    "request-metadata",
    "sep-2322-client-request-state",
    "tools_call",
  ],
};

/**
 * The one thing that a host is given otherwise than a client alone. `http-custom-headers` wants a call with
 * `verbose: null` where the tool's schema says boolean. The host sends no arguments that the schema forbids, so
 * that call is made without `verbose`. The suite asks for the same of both: no header for it.
 */
export function withoutNull(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/**
 * Not run, by client: the client of the AI SDK does not take up a response that was cut off, and waits for it
 * without end. So it does behind a host.
 */
export const WAITS_FOR_EVER: Readonly<Record<string, readonly string[]>> = {
  "@ai-sdk/mcp": ["sse-retry"],
};

/** Points that measure time, which other work on the machine changes. Left out of the comparison. */
export const TIMED: readonly string[] = ["client-sse-retry-timing"];
