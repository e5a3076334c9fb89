import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { FEATURES } from "./features.ts";
import { beyond, countOf } from "./lines-run.ts";

/** What a process of its own prints, since Vitest runs code that it has rewritten. */
async function run(...args: readonly string[]): Promise<string> {
  const node = ["--conditions=@toolrail/source", ...args];
  const running = promisify(execFile)(process.execPath, node, { cwd: import.meta.dirname });
  const { stdout, stderr }: Said = await running.catch((failed: Said) => failed);
  return stdout || stderr;
}

interface Said {
  readonly stdout: string;
  readonly stderr: string;
}

describe("what a feature takes to read", () => {
  it("No feature takes more lines than its limit.", async () => {
    const table = await run("main.ts");
    for (const { name } of FEATURES) expect(table).toContain(name);
    expect(table).not.toContain("OVER");
  });

  const page = readFileSync(new URL("../../docs/how-it-works.md", import.meta.url), "utf8");
  it.each(FEATURES)("The page gives its limit: $name", ({ name, entry, most }) => {
    const row = page
      .split("\n")
      .find((line) => line.startsWith(`| [${name}](../packages/${entry})`));
    expect(row?.split("|").at(-2)?.trim()).toBe(most.toLocaleString("en"));
  });
});

/** Its lines 2, 5, 6 and 10 are read by whoever follows `begin`. */
const SAMPLE = `/** Runs, and calls another. */
export function begin(): number {
  // Not counted, nor is the blank line.

  return [1, 2].map(twice).length;
}

export const never = () => 0;

const twice = (value: number) => value * 2;
`;

describe("lines that run", () => {
  it("Functions that ran count whole, without comments and blank lines; others do not count.", async () => {
    const folder = mkdtempSync(join(tmpdir(), "reading-"));
    const file = join(folder, "sample.ts");
    writeFileSync(file, SAMPLE);
    const probe = `
      import { linesRun } from "./lines-run.ts";
      const { begin } = await import(process.argv[1]);
      const [lines] = (await linesRun(async () => begin(), (url) => url === process.argv[1])).values();
      console.log([...lines].sort((one, other) => one - other).join());`;
    const { href } = pathToFileURL(file);
    expect(await run("--input-type=module", "--eval", probe, href)).toBe("2,5,6,10\n");
    rmSync(folder, { recursive: true });
  });

  it("What was read before is not counted again.", () => {
    const before = new Map([["a", new Set([1, 2])]]);
    const run = new Map([
      ["a", new Set([1, 2, 3])],
      ["b", new Set([7])],
    ]);
    expect(countOf(beyond(run, [before]))).toEqual({ lines: 2, files: 2 });
    expect(countOf(beyond(before, [run]))).toEqual({ lines: 0, files: 0 });
  });
});
