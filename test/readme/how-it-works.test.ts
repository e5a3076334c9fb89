import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const page = read("docs/how-it-works.md");

/** The files that a part of the page links to. */
const filesIn = (part: string) =>
  [...part.matchAll(/\]\((\.\.\/packages\/[^)]+\.ts)\)/g)].map(([, path = ""]) =>
    posix.join("docs", path),
  );

const stations = [...page.matchAll(/^\| +\d+ +\| ([a-z ]+?) +\|(.*)$/gm)].map(
  ([row, name = "", rest = ""]) => {
    const cells = rest.split(" | ");
    const functions = [...(cells[1] ?? "").matchAll(/`(\w+)`/g)].map(([, one = ""]) => one);
    return { name, functions, files: filesIn(row) };
  },
);

const FOLDERS = "packages/core/src/call";
/** Where the functions of stages are that a station shows by the file behind them. */
const STAGE_FILES = ["before-call.ts", "around-call.ts", "after-call.ts", "make-call.ts"];

it("The path of a call has twelve stations.", () => {
  expect(stations).toHaveLength(12);
});

it.each(stations)("The functions of the station $name exist.", ({ functions, files }) => {
  expect(functions.length).toBeGreaterThan(0);
  expect(files.length).toBeGreaterThan(0);
  const extra = [
    ...STAGE_FILES.map((file) => `${FOLDERS}/${file}`),
    "packages/core/src/result/user-view.ts",
  ];
  const code = [...files, ...extra].map(read).join("\n");
  const missing = functions.filter((name) => !new RegExp(`function ${name}\\b`).test(code));
  expect(missing).toEqual([]);
});

it("The stations name all stages of a call, in their order.", () => {
  const stages = [...read(`${FOLDERS}/stages.ts`).matchAll(/(?:run|around): ([a-z]\w+)/g)];
  const names = stages.map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(15);
  const shown = stations.flatMap(({ functions }) => functions);
  expect(shown.filter((name) => names.includes(name))).toEqual(names);
});

const features = [...page.matchAll(/^\| (\[.*?\]\(\.\.\/packages.*?\)) +\|/gm)].map(
  ([, cell = ""]) => cell,
);

it.each(features)("The feature %s begins in the file that is linked.", (cell) => {
  const [file = ""] = filesIn(cell);
  const [name = ""] = [...cell.matchAll(/`(\w+)`\]/g)].map(([, one]) => one ?? "");
  expect(read(file)).toMatch(new RegExp(`export (async function|function|const) ${name}\\b`));
});
