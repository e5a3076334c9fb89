import { createHost, modelView } from "@toolrail/core";
import { type ReferencesOptions, references } from "@toolrail/core/references";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../servers.ts";

const LINES = Array.from({ length: 3_000 }, (_, at) => `line ${at}`).join("\n");

/** What a model reads of this result, block by block. */
async function read(result: object, options: ReferencesOptions = {}) {
  const server = await createTestServer({ a: { answer: () => result } });
  const host = await createHost({ servers: { web: server.client }, use: [references(options)] });
  const hop = await host.keep(await host.call({ tool: "a" }), { conversation: "s" });
  const blocks = modelView(hop).content;
  const texts = blocks.map(({ text = "" }) => text.replaceAll(hop.kept ?? "-", "K"));
  return { hop, blocks, texts, all: texts.join("\n") };
}

const text = (words: string, extra: object = {}) => ({ type: "text", text: words, ...extra });

describe("what a model reads of a long result", () => {
  it("is the beginning of a text, cut at a line, its size, and how to pass it on", async () => {
    const { texts } = await read({ content: [text(LINES)] });
    const [first = "", ...lines] = (texts[0] ?? "").split("\n");
    expect(first).toBe("[28,889 characters of text, kept as K. The first 996:]");
    expect(lines.at(0)).toBe("line 0");
    expect(lines.at(-2)).toEqual(expect.stringMatching(/^line \d+$/));
    expect(lines.at(-1)).toBe(
      "[End of the preview. Pass the whole on by writing this as the argument: ${K.text}, or read more with references_read_result.]",
    );
  });

  it("is the shape of a structured value, with the first item of each list", async () => {
    const rows = Array.from({ length: 2_000 }, (_, id) => ({
      id,
      "a.b": "x".repeat(99),
      c: [[[]]],
    }));
    const { all } = await read({ content: [], structuredContent: { total: 2_000, rows } });
    expect(all).toBe(`[A long result, kept as K. Its shape, with the first item of each list:]
object of 2
  .total 2000
  .rows list of 2000
    [0] object of 3
      .id 0
      ["a.b"] text of 99: "${"x".repeat(60)}"…
      .c list of 1
[Pass a part on by writing its path as the argument, such as \${K.structured.rows}, or read more with references_read_result.]`);
  });

  it.each<[string, object]>([
    ["in a text and beside it", { content: [text('{"a":LIST}')], structuredContent: { a: 1 } }],
    ["in a text alone", { content: [text('{"a":LIST}')] }],
    ["wrapped", { content: [text("LIST")], structuredContent: { a: 1 } }],
  ])("is one shape if a value comes %s", async (_, form) => {
    const list = JSON.stringify(Array.from({ length: 5_000 }, (_, at) => at));
    const filled = JSON.parse(JSON.stringify(form).replace("LIST", list.replaceAll('"', '\\"')));
    if ("structuredContent" in filled) filled.structuredContent = { a: JSON.parse(list) };
    const { texts } = await read(filled);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("list of 5000");
    expect(texts[0]).toMatch(/\$\{K\.structured(\.a)?\}/);
  });

  it("is a picture unchanged", async () => {
    const picture = { type: "image", data: "A".repeat(20_000), mimeType: "image/png" };
    for (const beside of [[], [text(LINES)]]) {
      const { blocks } = await read({ content: [picture, ...beside] });
      expect(blocks[0]).toEqual(picture);
      expect(blocks).toHaveLength(1 + beside.length);
    }
  });

  it("is bounded if a result has very many short blocks", async () => {
    const content = Array.from({ length: 5_000 }, (_, at) => text(`block ${at}`));
    const { texts, all } = await read({ content });
    expect(all.length).toBeLessThan(20_000);
    expect(texts.at(-1)).toMatch(/^\[\d+ more blocks, kept as K: see K\.content/);
  });

  it("keeps the audience of its blocks, and the user's own whole", async () => {
    const user = text("for the user", { annotations: { audience: ["user"] } });
    const model = text(LINES, { annotations: { audience: ["assistant"] } });
    const { hop, all } = await read({ content: [user, model], _meta: { widget: 1 } });
    expect(hop.result.content).toHaveLength(2);
    expect(hop.result.content[0]?.annotations).toEqual({ audience: ["assistant"] });
    expect(hop.result.content[1]).toEqual(user);
    expect(hop.result._meta).toEqual({ widget: 1 });
    expect(all).not.toContain("for the user");
  });

  it("is still an error if it was one", async () => {
    const { hop } = await read({ content: [text(LINES)], isError: true });
    expect(modelView(hop)).toMatchObject({ isError: true });
    expect(hop.kept).toBeDefined();
  });

  it("is all of it if it is short, and the same hop", async () => {
    const server = await createTestServer({ a: { answer: () => ({ content: [text("short")] }) } });
    const host = await createHost({ servers: { web: server.client }, use: [references()] });
    const hop = await host.call({ tool: "a" });
    expect(await host.keep(hop, { conversation: "s" })).toBe(hop);
    expect(await host.keep(hop)).toBe(hop);
  });

  it("is kept once: a shortened result is not shortened again", async () => {
    const { hop } = await read({ content: [text(LINES)] }, { minLength: 50 });
    const server = await createTestServer({ a: {} });
    const use = [references({ minLength: 50 })];
    const host = await createHost({ servers: { web: server.client }, use });
    expect(await host.keep(hop, { conversation: "s" })).toBe(hop);
  });

  it("is the address of the right block after a blank one, and among several", async () => {
    const blocks = [text(" "), text("short"), text(LINES)];
    const structuredContent = { rows: Array(9_000).fill(1) };
    const { hop, texts } = await read({ content: blocks, structuredContent });
    expect(texts[0]).toBe("short");
    expect(texts[1]).toContain("${K.content[1].text}");
    expect(texts[2]).toContain("${K.structured.rows}");
    expect(hop.result.content[2]?.annotations).toEqual({ audience: ["assistant"] });
    expect(texts).toHaveLength(3);
  });

  describe("of its shape", () => {
    const shapeOf = async (value: object) => {
      const content = [text(JSON.stringify(value).padEnd(8_001))];
      const lines = (await read({ content })).all.split("\n");
      expect(lines[0]).toMatch(/Its shape/);
      return lines.slice(1, -1);
    };

    it("is short for any value", async () => {
      const value = fc.dictionary(fc.string(), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(value, async (one) => {
          expect((await shapeOf({ one })).join("\n").length).toBeLessThanOrEqual(1_201);
        }),
        { numRuns: 50 },
      );
    });

    it("are at most 20 keys of an object, and the number of the others", async () => {
      const value = Object.fromEntries(Array.from({ length: 34 }, (_, at) => [`k${at}`, at]));
      expect((await shapeOf(value)).at(-1)).toBe("  … 14 more");
    });

    it("are three levels, however deep a value is", async () => {
      let deep: object = {};
      for (let level = 0; level < 60; level++) deep = { a: deep };
      expect(await shapeOf(deep)).toHaveLength(4);
    });
  });
});
