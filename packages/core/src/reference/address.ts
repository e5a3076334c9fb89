import { parsePath } from "@toolrail/json";

/** The place of a value in a kept result. */
export interface Address {
  readonly id: string;
  /** Empty for the whole result. */
  readonly keys: readonly string[];
  /** As written, without the surrounding text. */
  readonly text: string;
}

/** Digits and consonants, so that no words arise. */
const LETTERS = "0123456789bcdfghjklmnpqrstvwxz";
const ID = `k[${LETTERS}]{5}`;
const BEGINS = new RegExp(`^${ID}(?=$|[.[])`);
const ANY = new RegExp(`(?<![\\w$])${ID}(?!\\w)`, "g");
/** Bounded, so that no text takes long to search. */
const INSIDE = new RegExp(`\\$\\{ {0,3}(${ID}(?:[.[][^{}\\n]{0,240})?) {0,3}\\}`, "g");
const BRACED = /^(?:\$\{([^{}]*)\}|\{\{([^{}]*)\}\}|\{([^{}]*)\})$/;
const PAIRS: readonly string[] = ['""', "''", "``", "[]"];
/** For a text that is an address and nothing else. */
const MAX_WHOLE = 300;
const MAX_KEYS = 16;

/** A name for a kept result, from a hash in hex. */
export function toAddressId(hash: string): string {
  const digits = [0, 1, 2, 3, 4].map((at) => Number.parseInt(hash.slice(at * 4, at * 4 + 4), 16));
  return `k${digits.map((digit) => LETTERS[digit % LETTERS.length]).join("")}`;
}

/** True for what could be the name of a kept result. */
export function isAddressId(text: string): boolean {
  return text.length === 6 && BEGINS.test(text);
}

/** Everything in a text that could be the name of a kept result. */
export function findIds(text: string): readonly string[] {
  return [...new Set(text.match(ANY))];
}

/** A bare address, such as `k4f9b2.structured.rows[0]`. */
export function parseAddress(text: string): Address | undefined {
  const [id] = BEGINS.exec(text) ?? [];
  if (id === undefined || text.length > MAX_WHOLE) return undefined;
  const path = text.slice(id.length).replace(/^\.(?!\.)/, "");
  const keys = path === "" ? [] : parsePath(path);
  return keys.includes("") || keys.length > MAX_KEYS ? undefined : { id, keys, text };
}

/** The address that a text consists of: in `${…}`, `{{…}}` or `{…}`, bare if it has a path, and in one pair of quotes or brackets. */
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

/** The text with each `${…}` that is an address replaced by `replace`; `undefined` leaves it unchanged. */
export function replaceAddresses(
  text: string,
  replace: (address: Address) => string | undefined,
): string {
  return text.replace(INSIDE, (whole, inner: string) => {
    const address = parseAddress(inner.trim());
    return (address && replace(address)) ?? whole;
  });
}
