import * as z from "zod/mini";

/** Longest text that a format is checked on; a longer one has no such format. */
const MAX_LENGTH = 2_048;

interface Check {
  safeParse(text: string): { readonly success: boolean };
}

/** Made when they are asked for: a schema at the top of a module stays in every bundle. */
const FORMATS: { readonly [format: string]: () => Check } = {
  date: z.iso.date,
  time,
  "date-time": dateTime,
  duration: z.iso.duration,
  email: z.email,
  hostname: z.hostname,
  ipv4: z.ipv4,
  ipv6: z.ipv6,
  uri: z.url,
  uuid: z.guid,
};

/**
 * True where a text has a `format` of JSON Schema 2020-12, and for formats unknown here. The door takes
 * `format` as an annotation, as the specification has it; under the guard it is asserted.
 */
export function isFormat(format: string, text: string): boolean {
  const check = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (check === undefined) return true;
  return text.length <= MAX_LENGTH && check().safeParse(text).success;
}

function dateTime(): Check {
  return z.iso.datetime({ offset: true });
}

/** With an offset (RFC 3339), and without one, as many schemas mean it. */
function time(): Check {
  const isFullTime = (text: string) => dateTime().safeParse(`2000-01-01T${text}`).success;
  return z.union([z.iso.time(), z.string().check(z.refine(isFullTime))]);
}
