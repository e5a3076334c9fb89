import { type Address, isAddressId, parseAddress } from "@toolrail/core/plugin";

const ANY = /(?<![\w$])k\w{5}(?!\w)/g;
/** Bounded, so that no text takes long to search. */
const INSIDE = /\$\{ {0,3}(k\w{5}(?:[.[][^{}\n]{0,240})?) {0,3}\}/g;
const BRACED = /^(?:\$\{([^{}]*)\}|\{\{([^{}]*)\}\}|\{([^{}]*)\})$/;
const PAIRS: readonly string[] = ['""', "''", "``", "[]"];
/** For a text that is an address and nothing else. */
const MAX_WHOLE = 300;

/** Everything in a text that could be the name of a kept result. */
export function findIds(text: string): readonly string[] {
  return [...new Set(text.match(ANY))].filter(isAddressId);
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
