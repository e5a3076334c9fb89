import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { outputOf } from "./run-example.ts";

interface Row {
  readonly toolCalls: number;
  readonly modelCalls: number;
  readonly read: number;
  readonly written: number;
}

/** The rows of one table, by their titles. */
type Table = ReadonlyMap<string, Row>;

const tables = new Map<string, Table>();
const SIZES = [4, 20, 100];
const PIPES = [
  { pipe: "Search, fetch, extract", relayed: 4, pages: 1 },
  { pipe: "Two pages at once", relayed: 3, pages: 2 },
];

beforeAll(async () => {
  const output = await outputOf("main.ts");
  for (const part of output.trim().split("\n\n")) {
    const [title = "", ...lines] = part.split("\n");
    const rows = lines.flatMap((line) => {
      const [, way, ...numbers] =
        /^ {2}(.+?) +([\d,]+) +([\d,]+) +([\d,]+) +([\d,]+)$/.exec(line) ?? [];
      const counts = numbers.map((text) => Number(text.replaceAll(",", "")));
      const [toolCalls = 0, modelCalls = 0, read = 0, written = 0] = counts;
      return way === undefined ? [] : [[way, { toolCalls, modelCalls, read, written }] as const];
    });
    tables.set(title, new Map(rows));
  }
}, 120_000);

function rowOf(pipe: string, size: number, way: string): Row {
  const row = tables.get(`${pipe}: pages of ${size} KB`)?.get(way);
  if (!row) throw new Error(`Nothing was printed for ${pipe}, ${size} KB, ${way}.`);
  return row;
}

describe.each(PIPES)("$pipe", ({ pipe, relayed, pages }) => {
  it("prints a table for each size of page, with every way in it", () => {
    const titles = [...tables.keys()].filter((title) => title.startsWith(pipe));
    expect(titles).toEqual(SIZES.map((size) => `${pipe}: pages of ${size} KB`));
    for (const title of titles) expect(tables.get(title)?.size).toBe(6);
  });

  it("makes the same three tool calls in every way", () => {
    for (const size of SIZES) {
      const rows = tables.get(`${pipe}: pages of ${size} KB`)?.values() ?? [];
      expect([...rows].map(({ toolCalls }) => toolCalls)).toEqual([3, 3, 3, 3, 3, 3]);
    }
  });

  it.each(["core, runPipe", "LangGraph, compilePipe"])("asks no model: %s", (way) => {
    for (const size of SIZES) {
      const { modelCalls, read, written } = rowOf(pipe, size, way);
      expect([modelCalls, read, written]).toEqual([0, 0, 0]);
    }
  });

  it.each(["LangGraph agent, mcp_pipe", "AI SDK, mcp_pipe"])(
    "asks the model twice, at the same price whatever the size of the page: %s",
    (way) => {
      for (const size of SIZES) {
        const { modelCalls, read, written } = rowOf(pipe, size, way);
        expect(modelCalls).toBe(2);
        expect(read + written).toBeLessThan(2_200);
      }
    },
  );

  it.each(["LangGraph agent, by hand", "AI SDK, by hand"])(
    "asks for every step, and types every page again: %s",
    (way) => {
      for (const size of SIZES) {
        const { modelCalls, read, written } = rowOf(pipe, size, way);
        expect(modelCalls).toBe(relayed);
        // The letters under the articles have between four and five characters a token.
        expect(written).toBeGreaterThan((pages * size * 1024) / 5);
        expect(read).toBeGreaterThan(3 * written);
      }
    },
  );
});

it("has the figures of such a run in the README, except the digits of the site's port", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const lines = [...readme.matchAll(/^\| .* \|$/gm)].slice(2).map(([line]) => line.split("|"));
  expect(lines).toHaveLength(12);
  for (const [, pipe = "", way = "", ...columns] of lines) {
    const row = rowOf(pipe.trim(), 100, way.trim());
    const figures = columns.slice(0, 4).map((text) => Number(text.replaceAll(",", "")));
    const printed = [row.toolCalls, row.modelCalls, row.read, row.written];
    for (const [at, figure] of figures.entries()) {
      expect(Math.abs(figure - (printed[at] ?? 0))).toBeLessThanOrEqual(figure / 20);
    }
  }
});
