// What pages name exists: entries, exports, options, commands, codes and scripts.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../packages/cli/src/command-line.ts";
import { readEntries, readExports, readSources } from "../architecture/read-sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const pages = globSync(["*.md", "docs/*.{md,txt}", "packages/*/README.md"], { cwd: ROOT });

const code = [...readSources()].map(([, { text }]) => text).join("\n");
const scripts = globSync(["package.json", "examples/*/package.json"], { cwd: ROOT }).flatMap(
  (path) => Object.keys(JSON.parse(read(path)).scripts ?? {}),
);

/** The first cells of the tables of a page whose head begins so. */
function firstCells(page: string, head: RegExp): string[] {
  const tables = read(page).matchAll(/^\| (.*)\n\| *-.*\n((?:\|.*\n?)*)/gm);
  return [...tables]
    .filter(([, title = ""]) => head.test(title))
    .flatMap(([, , rows = ""]) => rows.split("\n").map((row) => row.split(" | ")[0] ?? ""));
}

const find = (texts: readonly string[], pattern: RegExp) => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name))),
];

const isOption = (name: string) => new RegExp(`readonly ${name}\\??:`).test(code);
const isCode = (name: string) => code.includes(`"${name}"`);

describe.each(pages)("This name exists: %s", (page) => {
  it("names entries of packages", () => {
    const packages = globSync("packages/*/package.json", { cwd: ROOT }).map(
      (path) => JSON.parse(read(path)).name,
    );
    const known = [...readEntries().keys(), ...packages, "@toolrail/source"]; // The last is a condition.
    const named = find([read(page)], /["`](@toolrail\/[a-z/-]*[a-z])["`]/g);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("names options", () => {
    const named = find(firstCells(page, /^option/), /`(\w+)`/g);
    expect(named.filter((name) => !isOption(name))).toEqual([]);
  });

  it("names commands, and their options", () => {
    const commands = find(firstCells(page, /^command/), /^\| `(\w+)/g);
    const flags = find(firstCells(page, /^option/), /`(--[a-z-]+)/g);
    const help = commands.map((name) => parseCommandLine([name, "--help"])).join();
    expect(flags.filter((flag) => !help.includes(flag))).toEqual([]);
  });

  it("names codes of errors and warnings, ends of chains and types of events", () => {
    const named = find(firstCells(page, /^(code|`ended`|type|warning) /), /^\| `([a-z-]+)`/g);
    expect(named.filter((name) => !isCode(name))).toEqual([]);
  });

  it("names scripts", () => {
    const named = find([read(page)], /\bnpm run (?!-)([\w:-]+)/g);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

/** The codes of a union in a source, which begins with these words. */
function codesIn(path: string, from: string): string[] {
  const [, rest = ""] = read(`packages/core/src/${path}`).split(from);
  return find([rest.slice(0, rest.indexOf(";") + 1)], /\s"([a-z-]+)";?$/gm);
}

it("Errors, ends, events, warnings and problems each have a row in docs/errors-and-events.md.", () => {
  const events = read("packages/core/src/call/events.ts");
  const codes = [
    ...codesIn("errors.ts", "export type ToolrailErrorCode"),
    ...codesIn("result/hop.ts", "export type ChainEnd"),
    ...codesIn("call/tool.ts", "readonly code:"),
    ...find([events], /\btype: "([a-z-]+)"/g),
    ...find([events], /\bcode: "([a-z-]+)"/g),
  ];
  expect(codes.length).toBeGreaterThan(65);
  const rows = find([read("docs/errors-and-events.md")], /^\| `([a-z-]+)`/gm);
  expect(codes.filter((name) => !rows.includes(name))).toEqual([]);
});

const rowsOfEntries = [
  ...read("docs/llms.txt").matchAll(/^\| `(@toolrail\/[^`]+)` +\| (.*?) +\|$/gm),
].map(([, entry = "", cell = ""]) => ({ entry, names: find([cell], /`(\w+)`/g) }));

it.each(rowsOfEntries)(
  "This name exists: llms.txt names exports of $entry.",
  ({ entry, names }) => {
    const source = readSources().get(readEntries().get(entry) ?? "");
    expect(source && readExports(source)).toEqual(expect.arrayContaining(names));
  },
);
