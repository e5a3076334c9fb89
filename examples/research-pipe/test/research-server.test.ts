import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openResearch, type Research } from "../src/open-research.ts";

const PAGE_BYTES = 8_000;
let research: Research;

beforeAll(async () => {
  research = await openResearch({ pageBytes: PAGE_BYTES });
});
afterAll(() => research[Symbol.asyncDispose]());

async function call(tool: string, args: Record<string, unknown>) {
  const { ended, hops } = await research.host.run({ tool, arguments: args });
  const result = hops[0]?.result;
  const [block] = result?.content ?? [];
  return {
    ended,
    isError: result?.isError,
    structured: result?.structuredContent,
    text: block?.text,
  };
}

describe("the tools", () => {
  it("keep their contract, so that a strict host takes all of them", () => {
    expect(research.host.problems).toEqual([]);
    expect(research.host.tools.map(({ name }) => name)).toEqual([
      "web_search",
      "web_fetch",
      "extract_key_info",
    ]);
  });
});

describe("web_search", () => {
  it("lists the pages that share words with the question, the best first", async () => {
    const { structured } = await call("web_search", { query: "golang channels" });
    const { siteUrl } = research;
    expect(structured).toEqual({
      results: [
        { url: `${siteUrl}/golang-concurrency`, title: "Golang: concurrency" },
        { url: `${siteUrl}/golang-language`, title: "Golang: the language" },
      ],
    });
  });

  it("is an error if nothing is found", async () => {
    const outcome = await call("web_search", { query: "tea" });
    expect(outcome).toMatchObject({ isError: true, text: 'No page is about "tea".' });
  });

  it("is not called without a question", async () => {
    expect((await call("web_search", { query: "" })).ended).toBe("invalid-arguments");
  });
});

describe("web_fetch", () => {
  it("fetches a page unchanged, with the requested length", async () => {
    const url = `${research.siteUrl}/mcp-overview`;
    const content = await (await fetch(url)).text();
    expect(content.length).toBe(PAGE_BYTES);
    expect((await call("web_fetch", { url })).structured).toEqual({ url, content });
  });

  it.each([
    { why: "a page that is gone", path: "/gopher" },
    { why: "a path out of the folder", path: "/..%2fpackage" },
  ])("is an error for $why", async ({ path }) => {
    const { isError, text } = await call("web_fetch", { url: `${research.siteUrl}${path}` });
    expect(isError).toBe(true);
    expect(text).toMatch(/^The page .* answered 404\.$/);
  });

  it("fetches nothing that is not on the site", async () => {
    const { isError, text } = await call("web_fetch", { url: "http://169.254.169.254/latest" });
    expect(isError).toBe(true);
    expect(text).toBe("http://169.254.169.254/latest is not on this site.");
  });
});

describe("extract_key_info", () => {
  it("picks the passages that share most words with the question, no headings", async () => {
    const materials =
      "# Tea\n\nTea is a drink.\n\nCoffee is another.\n\nGreen tea is a drink as well.";
    const { structured } = await call("extract_key_info", { query: "green tea", materials });
    expect(structured).toEqual({
      contexts: ["Green tea is a drink as well.", "Tea is a drink."],
    });
  });

  it("picks nothing from nothing", async () => {
    const { structured } = await call("extract_key_info", { query: "tea", materials: "" });
    expect(structured).toEqual({ contexts: [] });
  });
});
