import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePlan } from "../../src/guard/index.ts";
import { ToolrailError } from "../../src/index.ts";

const CALL = '{"type":"call_tool","server":"docs","tool":"search","arguments":{"q":"x"}}';

describe("parsePlan", () => {
  it("reads a call, with or without server and arguments", () => {
    expect(parsePlan(` ${CALL}\n`)).toEqual(JSON.parse(CALL));
    expect(parsePlan('{"type":"call_tool","tool":"docs.search"}')).toEqual({
      type: "call_tool",
      tool: "docs.search",
      arguments: {},
    });
  });

  it("reads an answer that asks for more", () => {
    const plan = { type: "final_answer", needs_more_info: true, answer: "Which document?" };
    expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
  });

  it.each([
    ["an empty text", ""],
    ["text around the plan", `Here you are: ${CALL}`],
    ["a code fence", `\`\`\`json\n${CALL}\n\`\`\``],
    ["two plans", `${CALL}\n${CALL}`],
    ["a list of plans", `[${CALL}]`],
    ["a plan inside a string", JSON.stringify(CALL)],
    ["null", "null"],
    ["an unknown key", CALL.replace('"type"', '"why":"","type"')],
    ["a __proto__ key", CALL.replace('"type"', '"__proto__":{},"type"')],
    ["an unknown type", CALL.replace("call_tool", "call_tools")],
    ["a list of servers", CALL.replace('"docs"', '["docs"]')],
    ["an empty tool", CALL.replace('"search"', '""')],
    ["a list of arguments", CALL.replace('{"q":"x"}', "[]")],
    ["NaN", CALL.replace('"x"', "NaN")],
    ["a number beyond JSON", CALL.replace('"x"', "1e999")],
    ["a mark of byte order", `\ufeff${CALL}`],
    ["an answer that does not ask for more", '{"type":"final_answer","answer":"42"}'],
    [
      "an answer with needs_more_info as text",
      '{"type":"final_answer","needs_more_info":"true","answer":"?"}',
    ],
    ["an answer that says nothing", '{"type":"final_answer","needs_more_info":true,"answer":" "}'],
    [
      "a plan nested without end",
      `{"type":"call_tool","tool":"a","arguments":{"a":${"[".repeat(90)}${"]".repeat(90)}}}`,
    ],
  ])("refuses %s", (_, text) => {
    expect(() => parsePlan(text)).toThrow(ToolrailError);
    expect(() => parsePlan(text)).toThrow("The plan is invalid");
  });

  it("reads a plan or throws invalid-arguments, whatever the text", () => {
    const piece = fc.constantFrom(
      CALL,
      "{",
      "}",
      '"type"',
      ":",
      ",",
      '"call_tool"',
      "[",
      "]",
      "\\",
      '"',
    );
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.array(piece).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (input) => {
        try {
          const plan = parsePlan(input);
          expect(["call_tool", "final_answer"]).toContain(plan.type);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid-arguments" });
        }
      }),
    );
  });
});
