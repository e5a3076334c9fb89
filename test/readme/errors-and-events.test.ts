// Holds the page on errors and events to the types that it describes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/errors-and-events.md");

/** The names in the first column of the table whose head begins with this. */
function rowsOf(head: string): string[] {
  const [, table = ""] = new RegExp(`^\\| ${head} .*\\n((?:\\|.*\\n)*)`, "m").exec(page) ?? [];
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name);
}

/** The texts that a union of strings allows. */
function unionOf(file: string, name: string): string[] {
  const [, union = ""] = new RegExp(`type ${name} =(.*?")\\s*;`, "s").exec(read(file)) ?? [];
  return [...union.matchAll(/\| "([a-z-]+)"/g)].map(([, text = ""]) => text);
}

const [, events = ""] = read("packages/core/src/types/events.ts").split("type HostReport =");
const eventsWith = (pattern: RegExp) => [
  ...new Set([...events.matchAll(pattern)].map(([, text = ""]) => text)),
];

it.each([
  ["code of an error", "code", unionOf("packages/core/src/errors.ts", "ToolrailErrorCode")],
  ["end of a chain", "`ended`", unionOf("packages/core/src/result/chain-result.ts", "ChainEnd")],
  ["type of an event", "type", eventsWith(/type: "([a-z-]+)"/g)],
  ["code of a warning", "warning", eventsWith(/type: "warning".*code: "([a-z-]+)"/g)],
])("Every %s has one row on the page, and no row is left over.", (_, head, names) => {
  expect(names.length).toBeGreaterThan(3);
  expect(rowsOf(head).sort()).toEqual([...names].sort());
});
