import { isJsonObject, pathKey } from "@toolrail/json";

const MAX_DEPTH = 3;
const MAX_KEYS = 20;
const MAX_TEXT = 60;
const MAX_LENGTH = 1_200;

/** Outlines a value in a limited number of lines: a few keys of each object, one item of each list. */
export function outline(value: unknown): string {
  const lines: string[] = [];
  let left = MAX_LENGTH;
  const add = (line: string): boolean => {
    left -= line.length + 1;
    if (left >= 0) lines.push(line);
    return left >= 0;
  };
  const walk = (node: unknown, { name, depth }: { name: string; depth: number }): boolean => {
    const indent = "  ".repeat(depth);
    if (!add(`${indent}${name}${name && " "}${brief(node)}`)) return false;
    if (depth === MAX_DEPTH || typeof node !== "object" || node === null) return true;
    const entries = Array.isArray(node) ? node.slice(0, 1).entries() : membersOf(node);
    for (const [key, inner] of entries) {
      const place = typeof key === "number" ? `[${key}]` : pathKey(key);
      if (!walk(inner, { name: place, depth: depth + 1 })) return false;
    }
    const rest = Array.isArray(node) ? 0 : Object.keys(node).length - MAX_KEYS;
    return rest <= 0 || add(`${indent}  … ${rest} more`);
  };
  if (!walk(value, { name: "", depth: 0 })) lines.push("… and more");
  return lines.join("\n");
}

function membersOf(node: object): [string, unknown][] {
  const keys = isJsonObject(node) ? Object.keys(node).slice(0, MAX_KEYS) : [];
  return keys.map((key) => [key, (node as Record<string, unknown>)[key]]);
}

function brief(node: unknown): string {
  if (Array.isArray(node)) return `list of ${node.length}`;
  if (typeof node === "object" && node !== null) return `object of ${Object.keys(node).length}`;
  if (typeof node !== "string") return String(node);
  const start = JSON.stringify(node.slice(0, MAX_TEXT));
  return node.length > MAX_TEXT ? `text of ${node.length}: ${start}…` : start;
}
