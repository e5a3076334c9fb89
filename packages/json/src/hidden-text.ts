import { isJsonObject } from "./json.ts";
import { escapePointer } from "./path.ts";

/**
 * Characters that a person cannot see and a model can read: zero-width spaces, bidirectional overrides, tag characters, control
 * characters. A single joiner or variation selector is allowed, since scripts and emoji need them. Two in a row can carry a
 * message.
 */
const HIDDEN =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|(?:\u200c|\u200d){2}|[\ufe00-\ufe0f]{2}|[\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}/u;

/** Returns true if a text contains characters that a person cannot see and a model can read. */
export function hasHiddenText(text: string): boolean {
  return HIDDEN.test(text);
}

/** Finds hidden text in the strings and keys of a value. Returns JSON pointers to them. */
export function hiddenTextIn(value: unknown): string[] {
  const found: string[] = [];
  const open: [unknown, string][] = [[value, ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, path] = next;
    if (typeof node === "string" && hasHiddenText(node)) found.push(path);
    if (!Array.isArray(node) && !isJsonObject(node)) continue;
    for (const [key, inner] of Object.entries(node)) {
      const at = `${path}/${escapePointer(key)}`;
      if (hasHiddenText(key)) found.push(at);
      open.push([inner, at]);
    }
  }
  return found;
}
