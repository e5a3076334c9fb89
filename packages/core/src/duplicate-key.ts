/**
 * The first key that an object in a JSON text holds twice, or `undefined`. Such a text means one thing
 * to one reader and another to the next. Expects a text that `JSON.parse` has accepted.
 */
export function duplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}[\]]/gs;
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (colon !== undefined) {
      const key = String(JSON.parse(token.slice(0, -colon.length)));
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
