import { quoted } from "./plain-text.ts";

/**
 * Finds what two readers of a JSON text may understand differently (RFC 8259): a key that occurs twice in one object, or a
 * number that a double cannot keep, so that a different one would be sent. Returns `undefined` if nothing is ambiguous. Expects
 * a text that `JSON.parse` accepts.
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
      if (keys?.has(key)) return `"${key}" appears twice in one object; keep one of them`;
      keys?.add(key);
    } else if (/^[-\d]/.test(token) && !isKept(token)) {
      return `the number ${quoted(token)} cannot be kept exactly; write it as a string`;
    }
  }
  return undefined;
}

/** Returns true if JavaScript keeps a number exactly. */
function isKept(number: string): boolean {
  return normalize(number) === normalize(String(Number(number)));
}

/** Returns the digits and the exponent of a number, without zeros that do not matter. */
function normalize(number: string): string {
  const [mantissa = "", exponent = "0"] = number.replace("-", "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  const power = Number(exponent) - fraction.length + (digits.length - end);
  return end === 0 ? "0" : `${digits.slice(0, end)}e${power}`;
}
