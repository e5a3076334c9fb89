import { describe, expect, it } from "vitest";
import { parseCallToolResult } from "../../src/result/call-tool-result.ts";

const LIMITS = { maxResultBytes: 1_000, maxValueDepth: 10 };
const parse = (raw: unknown) => parseCallToolResult(raw, { tool: "bank.a", limits: LIMITS });
const naming = (resultType: unknown) =>
  expect.stringContaining(`an interim result (${JSON.stringify(resultType)})`);

describe("parseCallToolResult", () => {
  it("A result is kept in full, including unknown members.", () => {
    const raw = { content: [{ type: "x", y: 1 }], isError: false, _meta: { a: 1 }, more: true };
    expect(parse(raw)).toEqual(raw);
  });

  it("Missing content is read as empty, and the resultType complete as if it were absent.", () => {
    expect(parse({ structuredContent: 0 })).toEqual({ content: [], structuredContent: 0 });
    expect(parse({ content: [], resultType: "complete" })).toMatchObject({ content: [] });
  });

  it.each(["input_required", "task", "incomplete", 1, null])(
    "The interim result %s is refused by its name.",
    (resultType) => {
      expect(() => parse({ content: [], resultType })).toThrow(
        expect.objectContaining({ code: "malformed-result", message: naming(resultType) }),
      );
    },
  );

  it.each([
    [{ inputRequests: {} }, "input_required"],
    [{ requestState: "x" }, "input_required"],
    [{ status: "input_required" }, "input_required"],
    [{ status: "working" }, "task"],
    [{ task: { taskId: "t", status: "working" } }, "task"],
    [{ task: { taskId: "t" } }, "task"],
    [{ task: { taskId: "t", status: "input_required" } }, "input_required"],
    [{ _meta: { "io.modelcontextprotocol/model-immediate-response": "Wait." } }, "task"],
  ])(
    "%j beside structured content is an interim result, also without its resultType.",
    (more, resultType) => {
      const raw = { content: [{ type: "text", text: "ok" }], structuredContent: { n: 1 }, ...more };
      expect(() => parse(raw)).toThrow(
        expect.objectContaining({ code: "malformed-result", message: naming(resultType) }),
      );
    },
  );

  it("A task that is done, and any other status, are no interim result.", () => {
    for (const more of [{ task: { taskId: "t", status: "completed" } }, { status: "ok" }]) {
      expect(parse({ content: [], ...more })).toMatchObject(more);
    }
  });

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
  ])("%o is refused as malformed.", (raw) => {
    expect(() => parse(raw)).toThrow(expect.objectContaining({ code: "malformed-result" }));
  });

  it.each([
    [{ type: "text" }, "text is missing"],
    [{ type: "text", text: null }, "text must be a text"],
    [{ type: "text", text: 5 }, "text must be a text"],
    [{ type: "text", text: { toString: "x" } }, "text must be a text"],
    [{ type: "image", data: "aGk=" }, "mimeType is missing"],
    [{ type: "audio", data: [1], mimeType: "audio/wav" }, "data must be"],
    [{ type: "resource" }, "resource is missing"],
    [{ type: "resource", resource: { uri: "a:b" } }, "resource has neither text nor blob"],
    [{ type: "resource", resource: { uri: "a:b", text: null } }, "resource.text"],
    [{ type: "resource", resource: { text: "x" } }, "resource.uri"],
    [{ type: "resource_link", uri: 1, name: "x" }, "uri must be"],
    [{ type: "resource_link", uri: "a:b", description: {} }, "description must be"],
    [
      { type: "text", text: "x", annotations: { audience: { user: true } } },
      "annotations.audience",
    ],
  ])("refuses the block %j and says what is wrong with it", (block, why) => {
    expect(() => parse({ content: [{ type: "text", text: "ok" }, block] })).toThrow(
      expect.objectContaining({
        code: "malformed-result",
        message: expect.stringMatching(/^bank\.a was called, but .*content\[1\]/),
      }),
    );
    expect(() => parse({ content: [block] })).toThrow(why);
  });

  it("A result that is too large or too deep is refused.", () => {
    const large = { content: [{ type: "text", text: "x".repeat(1_001) }] };
    const deep = {
      content: [],
      structuredContent: JSON.parse(`${"[".repeat(11)}${"]".repeat(11)}`),
    };
    for (const raw of [large, deep]) {
      const message = expect.stringContaining("its result was dropped");
      expect(() => parse(raw)).toThrow(
        expect.objectContaining({ code: "malformed-result", message }),
      );
    }
  });
});
