import { format } from "@cfworker/json-schema";

/** Formats that strict validators assert, in linear time. Not `time`: schemas mean it with an offset and without. */
export const FORMATS = Object.fromEntries(
  ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"].map(
    (name) => [name, format[name]],
  ),
);
