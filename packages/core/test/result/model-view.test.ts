import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ContentBlock, modelView, ToolrailError, userView } from "../../src/index.ts";
import { chainOf, hopOf } from "../hops.ts";

function text(value: string, ...audience: ("user" | "assistant")[]): ContentBlock {
  return {
    type: "text",
    text: value,
    ...(audience.length > 0 && { annotations: { audience } }),
  };
}

const shown = (value: string) => ({ type: "text", text: value });

describe("modelView", () => {
  it("takes a raw result, a hop and a chain", () => {
    const result = { content: [text("a")] };
    for (const source of [result, hopOf(result), chainOf("complete", [hopOf(result)])]) {
      expect(modelView(source).content).toEqual([shown("a")]);
    }
  });

  it("leaves out annotations and _meta of blocks, and blocks for the user", () => {
    const block = { ...text("a", "assistant"), _meta: { secret: 1 } };
    const view = modelView({ content: [text("u", "user"), block], _meta: { secret: 2 } });
    expect(view.content).toEqual([shown("a")]);
  });

  it("takes an audience that is no list for everyone", () => {
    const block = { ...text("a"), annotations: { audience: "user" } } as unknown as ContentBlock;
    expect(modelView({ content: [block] }).content).toEqual([shown("a")]);
    expect(userView({ content: [block] }).content).toHaveLength(1);
  });

  it("keeps blocks of types it does not know", () => {
    const block = { type: "hologram", data: "x" };
    expect(modelView({ content: [block] }).content).toEqual([block]);
  });

  it.each([
    ["auto", 2],
    ["always", 2],
    ["never", 1],
  ] as const)("shows structuredContent beside a text that is not its JSON: %s", (structured, n) => {
    const result = { content: [text("two")], structuredContent: { n: 2 } };
    expect(modelView(result, { structured }).content).toHaveLength(n);
  });

  it.each([
    ["auto", 1],
    ["always", 2],
    ["never", 1],
  ] as const)("shows structuredContent beside a text that is its JSON: %s", (structured, n) => {
    const result = { content: [text('{ "m": 1, "n": 2 }')], structuredContent: { n: 2, m: 1 } };
    expect(modelView(result, { structured }).content).toHaveLength(n);
  });

  it("shows structuredContent where its JSON is in a block for the user alone, beside others", () => {
    const result = { content: [text('{"n":2}', "user"), text("two")], structuredContent: { n: 2 } };
    expect(modelView(result).content).toEqual([shown("two"), shown('{"n":2}')]);
  });

  it("shows structuredContent beside media, and beside a text block without a text", () => {
    const image = { type: "image", data: "aW1n", mimeType: "image/png" };
    const result = { content: [image, { type: "text" }], structuredContent: { n: 2 } };
    expect(modelView(result).content).toEqual([image, { type: "text" }, shown('{"n":2}')]);
  });

  it("shows every JSON value once, as text or as structuredContent", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        expect(modelView({ content: [], structuredContent: value }).content).toEqual([shown(json)]);
        const both = { content: [text(json)], structuredContent: value };
        expect(modelView(both).content).toEqual([shown(json)]);
      }),
    );
  });

  it("hides structuredContent where every block is for the user, unless it is asked for", () => {
    const result = { content: [text("u", "user")], structuredContent: { pin: 1 } };
    expect(modelView(result)).toMatchObject({ placeholder: true, userOnly: true });
    expect(modelView(result, { structured: "always" }).content).toEqual([shown('{"pin":1}')]);
  });

  it("says in one line that there is nothing for the model", () => {
    expect(modelView({ content: [] })).toEqual({
      content: [shown("The tool answered without content.")],
      isError: false,
      placeholder: true,
      userOnly: false,
    });
    const error = { content: [text("u", "user")], isError: true };
    expect(modelView(error).content).toEqual([
      shown("The tool reported an error, which was shown to the user."),
    ]);
  });

  it("is an error where the last result is one, and not where an earlier was", () => {
    const bad = hopOf({ content: [text("bad")], isError: true });
    const good = hopOf({ content: [text("good")] });
    expect(modelView(chainOf("complete", [bad, good])).isError).toBe(false);
    expect(modelView(chainOf("complete", [good, bad])).isError).toBe(true);
  });

  it("ends with a note where the chain was broken off", () => {
    const error = new ToolrailError("chain-depth", "Too long.");
    const view = modelView({ ...chainOf("depth-limit", [hopOf({ content: [text("a")] })]), error });
    expect(view.isError).toBe(true);
    expect(view.content.at(-1)?.text).toBe(
      "The chain of tool calls ended early (depth-limit). Too long.",
    );
  });
});

describe("userView", () => {
  it("holds the blocks for the user as they came, and tells which the model does not get", () => {
    const blocks = [text("all"), text("u", "user"), text("m", "assistant")];
    const view = userView({ content: blocks });
    expect(view.content).toEqual(blocks.slice(0, 2));
    expect(view.verbatim).toEqual([blocks[1]]);
  });

  it("covers every hop of a chain, and is empty for an empty one", () => {
    const hops = [hopOf({ content: [text("1")] }), hopOf({ content: [text("2")] })];
    expect(userView(chainOf("complete", hops)).content).toHaveLength(2);
    expect(userView(chainOf("aborted", [])).content).toEqual([]);
  });

  it("shows every block to somebody, and never the same to neither", () => {
    const audience = fc.subarray(["user", "assistant"] as const, { minLength: 1 });
    fc.assert(
      fc.property(fc.array(audience, { minLength: 1 }), (audiences) => {
        const content = audiences.map((to, at) => text(String(at), ...to));
        const seen = [...modelView({ content }).content, ...userView({ content }).content];
        const texts = new Set(seen.map((block) => block.text));
        expect(content.every((block) => texts.has(block.text))).toBe(true);
      }),
    );
  });
});
