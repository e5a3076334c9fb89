/**
 * Characters that a person cannot see and a model can read: zero-width spaces, bidirectional overrides,
 * tag characters. Joiners are left out, since scripts and emoji need them.
 */
const HIDDEN =
  /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** True where a text holds characters that cannot be seen. */
export function hasHiddenText(text: string): boolean {
  return HIDDEN.test(text);
}
