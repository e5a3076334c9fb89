import { beforeAll, describe, expect, it } from "vitest";
import { outputOf } from "./run-example.ts";

/** The rows of one table, by their titles: model calls, tokens read, tokens written. */
type Table = ReadonlyMap<string, readonly [calls: number, read: number, written: number]>;

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
      const [, way, ...numbers] = /^ {2}(.+?) +([\d,]+) +([\d,]+) +([\d,]+)$/.exec(line) ?? [];
      const [calls = 0, read = 0, written = 0] = numbers.map((text) => +text.replaceAll(",", ""));
      return way === undefined ? [] : [[way, [calls, read, written]] as const];
    });
    tables.set(title, new Map(rows));
  }
}, 120_000);

function rowOf(pipe: string, size: number, way: string) {
  const row = tables.get(`${pipe}: pages of ${size} KB`)?.get(way);
  if (!row) throw new Error(`Nothing was printed for ${pipe}, ${size} KB, ${way}.`);
  const [modelCalls, read, written] = row;
  return { modelCalls, read, written };
}

describe.each(PIPES)("$pipe", ({ pipe, relayed, pages }) => {
  it("prints a table for each size of page, with every way in it", () => {
    const titles = [...tables.keys()].filter((title) => title.startsWith(pipe));
    expect(titles).toEqual(SIZES.map((size) => `${pipe}: pages of ${size} KB`));
    for (const title of titles) expect(tables.get(title)?.size).toBe(6);
  });

  it.each(["core, runPipe", "LangGraph, compilePipe"])("asks no model: %s", (way) => {
    for (const size of SIZES) {
      expect(rowOf(pipe, size, way)).toEqual({ modelCalls: 0, read: 0, written: 0 });
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
