import { readFileSync } from "node:fs";
import { createPipeTool } from "@toolrail/ai-sdk/pipe";
import { parsePipe, runPipe } from "@toolrail/core/pipe";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openResearch, type Research } from "../src/open-research.ts";
import { searchFetchExtract, twoTopics } from "../src/specs.ts";
import { drawGraph } from "../src/with-langgraph.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const readme = read("../README.md");
const unindented = (text: string) => text.replaceAll(/^ +/gm, "");

function blocks(language: string): string[] {
  const pattern = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs");
  return [...readme.matchAll(pattern)].map(([, text = ""]) => text);
}

let research: Research;
beforeAll(async () => {
  research = await openResearch({ pageBytes: 20 * 1024 });
});
afterAll(() => research[Symbol.asyncDispose]());

describe("the README", () => {
  it("has the spec that is run", () => {
    expect(blocks("json")).toEqual([searchFetchExtract]);
  });

  it("has code that is compiled and runs", async () => {
    const { host } = research;
    const spec = searchFetchExtract;
    const vars = { q: "golang" };
    const pipe = parsePipe(host, { spec });
    const { ok, result, steps } = await runPipe(host, { spec: pipe, vars });
    const graph = compilePipe(host, { spec: pipe }); // the same, as a graph of LangGraph
    const state = await graph.invoke({ vars });
    const tools = createPipeTool(host); // the tool mcp_pipe, for a model that writes the spec

    expect({ ok, result }).toEqual({ ok: true, result: state.result });
    expect(result).toHaveLength(2);
    expect(Object.keys(steps)).toEqual(["search", "fetch", "extract"]);
    expect(Object.keys(tools)).toEqual(["mcp_pipe"]);
    const [code = "", ...others] = blocks("ts");
    expect(others).toEqual([]);
    expect(unindented(read("readme.test.ts"))).toContain(unindented(code));
  });

  it("has the picture of a nested pipe that LangGraph draws", async () => {
    expect(blocks("mermaid")[0]).toBe(await drawGraph(research.host, twoTopics));
  });
});

describe("the nested pipe", () => {
  it("gives the same passages in the core and as a graph", async () => {
    const { host } = research;
    const { ok, result } = await runPipe(host, { spec: twoTopics });
    expect(ok).toBe(true);
    expect(result).toHaveLength(3);
    expect(await compilePipe(host, { spec: twoTopics }).invoke({})).toMatchObject({ ok, result });
  });

  it("keeps what the other topic found if one page is missing, and calls nothing more", async () => {
    const run = await runPipe(research.host, { spec: twoTopics, vars: { two: "gopher" } });
    expect(run).toMatchObject({
      ok: false,
      error: "steps.topics.children.second.steps.fetch: The page /gopher answered 404.",
      steps: { topics: { children: { first: { ok: true }, second: { ok: false } } } },
    });
    expect(Object.keys(run.steps)).toEqual(["topics"]);
  });

  it("is drawn by LangGraph with its nested pipes expanded", async () => {
    const picture = await drawGraph(research.host, twoTopics);
    expect(picture).toContain("subgraph topics.first");
    expect(picture).toContain("subgraph topics.second");
  });
});
