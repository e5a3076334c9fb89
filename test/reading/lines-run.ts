import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";

/** The lines of each file, by its URL: those of functions that ran, without comments and blank lines. */
export type LinesRun = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * What one has to read to follow a run from its entry to its end: all lines of the functions that ran, in files that
 * `isRead` takes. Code that runs once when a module is loaded does not count.
 */
export async function linesRun(
  run: () => Promise<unknown>,
  isRead: (url: string) => boolean,
): Promise<LinesRun> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage"); // What ran before does not count.
  await run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const files = new Map<string, Set<number>>();
  for (const { url, functions } of result) {
    if (!url.startsWith("file:") || !isRead(url)) continue;
    const text = readFileSync(fileURLToPath(url), "utf8");
    const lines = files.get(url) ?? new Set();
    for (const { functionName, ranges } of functions) {
      const [{ startOffset, endOffset, count } = { startOffset: 0, endOffset: 0, count: 0 }] =
        ranges;
      const isModule = functionName === "" && startOffset === 0;
      if (count === 0 || isModule) continue;
      for (const line of codeLines(text, { startOffset, endOffset })) lines.add(line);
    }
    if (lines.size > 0) files.set(url, lines);
  }
  return files;
}

/** The numbers of the lines in this part of a text that hold code. */
function codeLines(
  text: string,
  { startOffset, endOffset }: { readonly startOffset: number; readonly endOffset: number },
): number[] {
  const first = text.slice(0, startOffset).split("\n").length;
  return text
    .slice(startOffset, endOffset)
    .split("\n")
    .flatMap((line, at) => (/^\s*($|\/\/|\/?\*)/.test(line) ? [] : [first + at]));
}

/** How many lines and files. */
export function countOf(files: LinesRun): { readonly lines: number; readonly files: number } {
  const sizes = [...files.values()].map(({ size }) => size);
  return { lines: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
}

/** What is left of a run to somebody who has read the others. */
export function beyond(files: LinesRun, read: readonly LinesRun[]): LinesRun {
  const left = [...files].map(([url, lines]) => {
    const known = new Set(read.flatMap((other) => [...(other.get(url) ?? [])]));
    return [url, new Set([...lines].filter((line) => !known.has(line)))] as const;
  });
  return new Map(left.filter(([, lines]) => lines.size > 0));
}
