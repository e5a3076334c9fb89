import { parsePath } from "../path.ts";

/** Where a value stands in what was kept of a result. */
export interface Address {
  readonly id: string;
  /** Empty for the result itself. */
  readonly keys: readonly string[];
  /** As it was written, without what stood around it. */
  readonly text: string;
}

/** Digits and consonants: no words arise. */
const LETTERS = "0123456789bcdfghjklmnpqrstvwxz";
const ID = `k[${LETTERS}]{5}`;
const BEGINS = new RegExp(`^${ID}(?=$|[.[])`);
const ANY = new RegExp(`(?<![\\w$])${ID}(?!\\w)`, "g");
/** Bounded, so that no text takes long. */
const INSIDE = new RegExp(`\\$\\{ {0,3}(${ID}(?:[.[][^{}\\n]{0,240})?) {0,3}\\}`, "g");
const BRACED = /^(?:\$\{([^{}]*)\}|\{\{([^{}]*)\}\}|\{([^{}]*)\})$/;
const PAIRS: readonly string[] = ['""', "''", "``", "[]"];
/** Of a text that is an address and nothing else. */
const MAX_WHOLE = 300;
const MAX_KEYS = 16;

/** A name for a result that is kept, from a hash in hex. */
export function toAddressId(hash: string): string {
  const digits = [0, 1, 2, 3, 4].map((at) => Number.parseInt(hash.slice(at * 4, at * 4 + 4), 16));
  return `k${digits.map((digit) => LETTERS[digit % LETTERS.length]).join("")}`;
}

/** True for what could be the name of a kept result. */
export function isAddressId(text: string): boolean {
  return text.length === 6 && BEGINS.test(text);
}

/** All that could be names of kept results in a text. */
export function findIds(text: string): readonly string[] {
  return [...new Set(text.match(ANY))];
}

/** An address without anything around it, such as `k4f9b2.structured.rows[0]`. */
export function parseAddress(text: string): Address | undefined {
  const [id] = BEGINS.exec(text) ?? [];
  if (id === undefined || text.length > MAX_WHOLE) return undefined;
  const path = text.slice(id.length).replace(/^\.(?!\.)/, "");
  const keys = path === "" ? [] : parsePath(path);
  return keys.includes("") || keys.length > MAX_KEYS ? undefined : { id, keys, text };
}

/** The address that a text is: in `${…}`, `{{…}}` or `{…}`, bare where it has a path, and in one pair of quotes or brackets. */
export function readAddress(text: string): Address | undefined {
  if (text.length > MAX_WHOLE) return undefined;
  const trimmed = text.trim();
  const isPaired = PAIRS.includes(`${trimmed.at(0)}${trimmed.at(-1)}`);
  const inner = isPaired ? trimmed.slice(1, -1).trim() : trimmed;
  const [, ...braced] = BRACED.exec(inner) ?? [];
  const held = braced.find((one) => one !== undefined);
  const address = parseAddress((held ?? inner).trim());
  return held === undefined && address?.keys.length === 0 ? undefined : address;
}

/** The text with what `replace` makes of each `${…}` that is an address; `undefined` leaves it as it stands. */
export function replaceAddresses(
  text: string,
  replace: (address: Address) => string | undefined,
): string {
  return text.replace(INSIDE, (whole, inner: string) => {
    const address = parseAddress(inner.trim());
    return (address && replace(address)) ?? whole;
  });
}
