import { format } from "@cfworker/json-schema";

/**
 * Tests of the formats that strict validators assert, each linear in the text. Left out is `time`, since
 * schemas mean it with an offset and without one.
 */
export const FORMATS = Object.fromEntries(
  ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"].map(
    (name) => [name, format[name]],
  ),
);
