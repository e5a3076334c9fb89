/**
 * What two readers of a JSON text may take for different things (RFC 8259): a key that an object holds
 * twice, a whole number that is not exact as a double. `undefined` where nothing is ambiguous. Expects a text
 * that `JSON.parse` has accepted.
 */
export function ambiguityIn(text: string): string | undefined {
  const open: Set<string>[] = [];
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\]]/gs;
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, -colon.length)));
      const keys = open.at(-1);
      if (keys?.has(key)) return `"${key}" is written twice in one object; keep one of them`;
      keys?.add(key);
    } else if (/^-?\d+$/.test(token) && !isExact(token)) {
      return `the number ${token} cannot be kept exactly; write it as a text`;
    }
  }
  return undefined;
}

function isExact(digits: string): boolean {
  const value = Number(digits);
  return Number.isFinite(value) && BigInt(value) === BigInt(digits);
}
