import { describe, expect, it } from "vitest";
import { resolveLimits } from "../../src/host/limits.ts";
import { parseCallToolResult } from "../../src/result/call-tool-result.ts";

const LIMITS = resolveLimits({ maxResultBytes: 1_000, maxValueDepth: 10 });
const parse = (raw: unknown) => parseCallToolResult(raw, "bank.a", LIMITS);

describe("parseCallToolResult", () => {
  it("keeps a result whole, unknown members too", () => {
    const raw = { content: [{ type: "x", y: 1 }], isError: false, _meta: { a: 1 }, more: true };
    expect(parse(raw)).toEqual(raw);
  });

  it("takes missing content for empty, and resultType complete for none", () => {
    expect(parse({ structuredContent: 0 })).toEqual({ content: [], structuredContent: 0 });
    expect(parse({ content: [], resultType: "complete" })).toMatchObject({ content: [] });
  });

  it.each(["input_required", "task", "incomplete", 1, null])(
    "refuses the interim result %s, and says which it was",
    (resultType) => {
      expect(() => parse({ content: [], resultType })).toThrow(
        expect.objectContaining({ code: "unsupported-result", data: { resultType } }),
      );
    },
  );

  it.each([
    [null],
    ["text"],
    [[]],
    [{ content: "text" }],
    [{ content: ["text"] }],
    [{ content: [{ text: "no type" }] }],
    [{ content: [], isError: "true" }],
    [{ content: [], _meta: [] }],
    [{ content: [], _meta: null }],
  ])("refuses %o", (raw) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "malformed-result" }));
  });

  it("refuses what is too large or too deep", () => {
    const large = { content: [{ type: "text", text: "x".repeat(1_001) }] };
    const deep = {
      content: [],
      structuredContent: JSON.parse(`${"[".repeat(11)}${"]".repeat(11)}`),
    };
    for (const raw of [large, deep]) {
      expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "result-too-large" }));
    }
  });
});
