import { readFileSync } from "node:fs";

/** A spec as its file has it: JSON text, which `parsePipe` takes as it is. */
function readSpec(name: string): string {
  return readFileSync(new URL(`../specs/${name}.json`, import.meta.url), "utf8");
}

/** Find a page, fetch it, pick out what answers the question. */
export const searchFetchExtract = readSpec("search-fetch-extract");

/** Fetch two pages at the same time, and pick from both. */
export const parallelFetch = readSpec("parallel-fetch");

/** Two nested pipes side by side, each with a topic of its own. */
export const twoTopics = readSpec("two-topics");

/** Fetch each page that is found and wanted; where none is left, say what there is instead. */
export const filteredPages = readSpec("filtered-pages");
