import type { Rule, ToolResult, Turn } from "@toolrail/example-offline-model";
import * as z from "zod";
import { parallelFetch, searchFetchExtract } from "./specs.ts";

// The behaviour of the fake model, each time as good as that of a perfect model: it writes the right spec at once, and makes no
// mistake if it carries a page by hand.

/** Writes one spec for `mcp_pipe`, the contract's own for the question. */
const writePipe: Rule = (turn) => {
  if (turn.toolResultsSinceUser.length > 0) return undefined;
  const { q, urls } = readQuestion(turn);
  const [u1, u2] = urls;
  const spec = u1 ? parallelFetch : searchFetchExtract;
  const vars = u1 ? { q, u1, u2 } : { q };
  return { toolCalls: [{ name: "mcp_pipe", arguments: { ...JSON.parse(spec), vars } }] };
};

/** Looks for a page with plain tools, unless the question names one. */
const search: Rule = (turn) => {
  const { q, urls } = readQuestion(turn);
  if (urls.length > 0 || turn.toolResultsSinceUser.length > 0) return undefined;
  return { toolCalls: [{ name: "web_search", arguments: { query: q } }] };
};

const found = z.object({ results: z.array(z.object({ url: z.string() })) });

/** Fetches the page that it was given or has found. */
const fetchPages: Rule = (turn) => {
  if (resultsOf(turn, "web_fetch").length > 0) return undefined;
  const results = resultsOf(turn, "web_search").flatMap((result) => read(found, result).results);
  const urls = [...readQuestion(turn).urls, ...results.slice(0, 1).map(({ url }) => url)];
  if (urls.length === 0) return undefined;
  return { toolCalls: urls.map((url) => ({ name: "web_fetch", arguments: { url } })) };
};

const page = z.object({ content: z.string() });

/** Writes all that it has read into the arguments of the next call. */
const extract: Rule = (turn) => {
  if (resultsOf(turn, "extract_key_info").length > 0) return undefined;
  const pages = resultsOf(turn, "web_fetch").map((result) => read(page, result).content);
  if (pages.length === 0) return undefined;
  const materials = pages.join("\n");
  const query = readQuestion(turn).q;
  return { toolCalls: [{ name: "extract_key_info", arguments: { query, materials } }] };
};

const passages = z.union([
  z.object({ contexts: z.array(z.string()) }).transform(({ contexts }) => contexts),
  z.object({ result: z.array(z.string()) }).transform(({ result }) => result),
]);

/** Answers with the passages that came back. */
const answer: Rule = ({ toolResultsSinceUser }) => {
  const last = toolResultsSinceUser.at(-1);
  return last && { text: read(passages, last).join("\n\n") };
};

export const researchRules: readonly Rule[] = [writePipe, search, fetchPages, extract, answer];

function readQuestion({ lastUser }: Turn): { readonly q: string; readonly urls: string[] } {
  return {
    q: /"([^"]*)"/.exec(lastUser)?.[1] ?? "",
    urls: lastUser.match(/https?:\/\/\S+/g) ?? [],
  };
}

function resultsOf({ toolResultsSinceUser }: Turn, tool: string): readonly ToolResult[] {
  return toolResultsSinceUser.filter(({ name }) => name === tool);
}

function read<Value>(schema: z.ZodType<Value>, { text }: ToolResult): Value {
  return schema.parse(JSON.parse(text));
}
