import { type Address, parseAddress } from "../result/address.ts";

/** Limits the length of a match, so that no text takes long to search. */
const INSIDE = /\$\{ {0,3}(k\w{5}(?:[.[][^{}\n]{0,240})?) {0,3}\}/g;
const BRACED = /^(?:\$\{([^{}]*)\}|\{\{([^{}]*)\}\}|\{([^{}]*)\})$/;
const PAIRS: readonly string[] = ['""', "''", "``", "[]"];
/** The maximum length of a text that is only an address. */
const MAX_WHOLE = 300;

/** Reads a text that is only an address: in `${…}`, `{{…}}` or `{…}`, or bare with a path. Ignores one pair of quotes or brackets. */
export function readAddress(text: string): Address | undefined {
  if (text.length > MAX_WHOLE) return undefined;
  const trimmed = text.trim();
  const isPaired = PAIRS.includes(`${trimmed.at(0)}${trimmed.at(-1)}`);
  const inner = isPaired ? trimmed.slice(1, -1).trim() : trimmed;
  const [, ...braced] = BRACED.exec(inner) ?? [];
  const inBraces = braced.find((one) => one !== undefined);
  const address = parseAddress((inBraces ?? inner).trim());
  return inBraces === undefined && address?.keys.length === 0 ? undefined : address;
}

/** Replaces each `${…}` that is an address by the result of `replace`, unless that is `undefined`. */
export function replaceAddresses(
  text: string,
  replace: (address: Address) => string | undefined,
): string {
  return text.replace(INSIDE, (whole, inner: string) => {
    const address = parseAddress(inner.trim());
    return (address && replace(address)) ?? whole;
  });
}
