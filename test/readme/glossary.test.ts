import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEntries, readSources } from "../architecture/read-sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/glossary.md"), "utf8");
const code = [...readSources()]
  .filter(([file]) => !file.startsWith("packages/conformance/"))
  .map(([, { text }]) => text)
  .join("\n");

/** True if the sources declare a name, or have a member with that name. */
function isInCode(name: string): boolean {
  const declared = `\\b(?:interface|type|function|const) ${name}\\b`;
  const member = `\\b${name}\\??:|\\b${name}[<(]|"${name}"`;
  return new RegExp(`${declared}|${member}`).test(code);
}

const names = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));

it.each([...names])("The glossary names `%s`, which exists in the code.", (name) => {
  if (name.startsWith("@")) expect([...readEntries().keys()]).toContain(name);
  else expect(name.split(".").filter((part) => part !== "host" && !isInCode(part))).toEqual([]);
});

it("The glossary has each word once, with one meaning.", () => {
  const rows = [...page.matchAll(/^\| ([a-z ]+?) +\| (\S.*?) +\| /gm)];
  const words = rows.map(([, word]) => word).filter((word) => word !== "word");
  expect(words.length).toBeGreaterThan(40);
  expect(new Set(words).size).toBe(words.length);
});
