import { readFileSync } from "node:fs";

/** A spec as the text of its file, which `parsePipe` takes unchanged. */
function readSpec(name: string): string {
  return readFileSync(new URL(`../specs/${name}.json`, import.meta.url), "utf8");
}

/** Find a page, fetch it, pick out what answers the question. */
export const searchFetchExtract = readSpec("search-fetch-extract");

/** Fetch two pages at the same time, and pick from both. */
export const parallelFetch = readSpec("parallel-fetch");

/** Two nested pipes side by side, each with another topic. */
export const twoTopics = readSpec("two-topics");
