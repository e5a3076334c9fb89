import { parsePath } from "../json/path.ts";

/** The address of a value in a kept result. */
export interface Address {
  readonly id: string;
  /** The path of the value. Empty for the whole result. */
  readonly keys: readonly string[];
  /** The address as it was written, without the surrounding text. */
  readonly text: string;
}

/** Digits and consonants, so that an id never looks like a word. */
const LETTERS = "0123456789bcdfghjklmnpqrstvwxz";
const BEGINS = new RegExp(`^k[${LETTERS}]{5}(?=$|[.[])`);
/** The most characters of a text that is an address and nothing else. */
const MAX_WHOLE = 300;
const MAX_KEYS = 16;

/** Builds the id of a kept result from a hash in hex. */
export function toAddressId(hash: string): string {
  const digits = [0, 1, 2, 3, 4].map((at) => Number.parseInt(hash.slice(at * 4, at * 4 + 4), 16));
  return `k${digits.map((digit) => LETTERS[digit % LETTERS.length]).join("")}`;
}

/** Parses a text that is an address and nothing else, such as `k4f9b2.structured.rows[0]`. */
export function parseAddress(text: string): Address | undefined {
  const [id] = BEGINS.exec(text) ?? [];
  if (id === undefined || text.length > MAX_WHOLE) return undefined;
  const path = text.slice(id.length).replace(/^\.(?!\.)/, "");
  const keys = path === "" ? [] : parsePath(path);
  return keys.includes("") || keys.length > MAX_KEYS ? undefined : { id, keys, text };
}
