import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkPlan,
  createHost,
  createSingleStep,
  parsePlan,
  ToolrailError,
} from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

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
    ["a key said twice", CALL.replace('"tool"', '"tool":"delete","tool"')],
    ["a key said twice in escapes", CALL.replace('"tool"', '"t\\u006fol":"delete","tool"')],
    ["an argument said twice", CALL.replace('"q"', '"q":"y","q"')],
    ["an unknown type", CALL.replace("call_tool", "call_tools")],
    ["a list of servers", CALL.replace('"docs"', '["docs"]')],
    ["an empty tool", CALL.replace('"search"', '""')],
    ["a list of arguments", CALL.replace('{"q":"x"}', "[]")],
    ["NaN", CALL.replace('"x"', "NaN")],
    ["a number beyond JSON", CALL.replace('"x"', "1e999")],
    ["a number that would be changed", CALL.replace('"x"', "9007199254740993")],
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
    expect(() => parsePlan(text)).toThrow("The plan was refused");
  });

  it("takes numbers that stay what they are", () => {
    for (const number of ["-0", "9007199254740992", "-10000000000000000", "1e300", "0.1"]) {
      const text = CALL.replace('"x"', number);
      expect(parsePlan(text)).toEqual(JSON.parse(text));
    }
  });

  it("reads a plan or throws malformed-plan, whatever the text", () => {
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
          expect(error).toMatchObject({ code: "malformed-plan" });
        }
      }),
    );
  });
});

const SCHEMA = {
  type: "object",
  properties: {
    id: { type: "string" },
    count: { type: ["integer", "null"] },
    kind: { enum: ["open", "closed"] },
    when: { type: "string", format: "date-time" },
    to: {
      anyOf: [
        { type: "string", format: "email" },
        { type: "string", format: "uuid" },
      ],
    },
    filter: {
      type: "object",
      properties: { tags: { type: "array", items: { $ref: "#/$defs/tag" } } },
    },
    labels: { type: "object", additionalProperties: { type: "string" } },
    hints: { type: "object", patternProperties: { "^x-": { type: "string" } } },
    payload: { type: "object" },
    any: true,
    "x-mail": { type: "string" },
    paid: { type: "boolean" },
  },
  patternProperties: { "^x-mail$": { format: "email" } },
  dependentSchemas: { paid: { properties: { card: { type: "string" } } } },
  required: ["id"],
  $defs: { tag: { type: "object", properties: { name: { type: "string" } } } },
};

async function open() {
  const desk = await createTestServer({
    find: { definition: { inputSchema: SCHEMA } },
    widget: { definition: { _meta: { ui: { visibility: ["app"] } } } },
  });
  const host = await createHost({ servers: { desk: desk.client } });
  const verdict = async (args: object, tool = "find") => {
    const plan = { type: "call_tool", tool, arguments: args as Record<string, unknown> } as const;
    const result = await checkPlan(plan, host);
    return result.type === "refuse" ? `${result.error.code}: ${result.error.message}` : result.type;
  };
  return { desk, host, verdict };
}

describe("checkPlan", () => {
  it("allows a plan that is all the schema describes", async () => {
    const { verdict, desk } = await open();
    const args = {
      id: "a",
      count: null,
      kind: "open",
      when: "2026-11-20T10:00:00Z",
      to: "a@example.com",
      filter: { tags: [{ name: "x" }] },
      labels: { any: "thing" },
      hints: { "x-a": "b" },
      payload: { deep: { er: [{ still: 1 }] } },
      any: { a: { b: 1 } },
      paid: true,
      card: "1",
    };
    expect(await verdict(args)).toBe("allow");
    expect(await verdict({ id: "a", to: "00000000-0000-4000-8000-000000000000" })).toBe("allow");
    expect(desk.calls).toEqual([]);
  });

  it.each([
    ["a missing argument", {}, "id"],
    ["a wrong type", { id: 1 }, "/id"],
    ["NaN", { id: "a", count: Number.NaN }, "number"],
    ["a value outside an enum", { id: "a", kind: "gone" }, "/kind"],
    ["a wrong format", { id: "a", when: "yesterday" }, "/when must be a valid date-time"],
    ["a format by pattern", { id: "a", "x-mail": "nobody" }, "/x-mail must be a valid email"],
    ["a format that no alternative has", { id: "a", to: "nobody" }, "/to must be a valid email"],
    ["an argument that is not described", { id: "a", drop: true }, "/drop is not described"],
    [
      "a nested key that is not described",
      { id: "a", filter: { sql: "" } },
      "/filter/sql is not described",
    ],
    [
      "a key behind a reference",
      { id: "a", filter: { tags: [{ nom: "" }] } },
      "/filter/tags/0/nom is not described",
    ],
    ["a key that no pattern fits", { id: "a", hints: { y: "b" } }, "/hints/y is not described"],
    ["a nested wrong type", { id: "a", filter: { tags: [{ name: 1 }] } }, "/filter/tags/0/name"],
  ])("refuses %s and names the place", async (_, args, place) => {
    const { verdict } = await open();
    const answer = await verdict(args);
    expect(answer).toMatch(/^invalid-arguments: /);
    expect(answer).toContain(place);
  });

  it("refuses unknown and app-only tools", async () => {
    const { verdict } = await open();
    expect(await verdict({}, "gone")).toMatch(/^unknown-tool: .*Offered are: desk.find\.$/);
    expect(await verdict({}, "widget")).toMatch(/^not-allowed/);
  });

  it("refuses what is no plan at all", async () => {
    const { host } = await open();
    const plan = { type: "call_tool", tool: ["find"] } as never;
    expect(await checkPlan(plan, host)).toMatchObject({ error: { code: "malformed-plan" } });
  });

  it("hands on an answer that asks for more", async () => {
    const { host } = await open();
    const plan = { type: "final_answer", needs_more_info: true, answer: "Which?" } as const;
    expect(await checkPlan(plan, host)).toEqual({ type: "answer", answer: "Which?" });
  });

  it("asks the operator's list where it is given a single step", async () => {
    const { host } = await open();
    const plan = { type: "call_tool", tool: "find", arguments: { id: "a" } } as const;
    const gate = (allow: object) => createSingleStep(host, { allow: allow as never });
    expect(await checkPlan(plan, gate(["desk.find"]))).toMatchObject({ type: "allow" });
    expect(await checkPlan(plan, gate({ "desk.find": "ask" }))).toMatchObject({ type: "ask" });
    expect(await checkPlan(plan, gate(["desk.close"]))).toMatchObject({
      error: { code: "not-on-allowlist" },
    });
  });
});
