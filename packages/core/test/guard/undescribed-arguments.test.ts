import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import { openDesk, typedTool } from "./open-desk.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const text = { type: "string" };
const naming = (...names: string[]) => ({
  properties: Object.fromEntries(names.map((name) => [name, text])),
});

/** Lets the guard make a call with these arguments, and returns the code of its outcome. */
async function codeOf(inputSchema: JsonObject, args: JsonObject) {
  const { definition } = typedTool();
  const a = { ...typedTool(), definition: { ...definition, inputSchema } };
  const { guard, desk } = await openDesk({ a });
  const { code } = await guard.startQuery().call({ tool: "desk.a", arguments: args });
  expect(desk.calls).toEqual(code === "complete" ? ["a"] : []);
  return code;
}

describe.each([
  ["2020-12", {}],
  ["draft-07", { $schema: DRAFT_07 }],
])("Of a tool with a schema in %s", (_, dialect) => {
  const schemaOf = (more: JsonObject) => ({ ...dialect, type: "object", ...more });

  it.each<[string, JsonObject, JsonObject]>([
    ["names it", naming("id"), { id: "x" }],
    ["names it in one of its parts", { allOf: [naming("id"), naming("to")] }, { id: "", to: "" }],
    ["names it in an alternative", { anyOf: [naming("id"), naming("to")] }, { to: "" }],
    [
      "names it behind a reference",
      { $ref: "#/definitions/d", definitions: { d: naming("id") } },
      { id: "" },
    ],
    [
      "names what objects inherit",
      { anyOf: [naming("constructor"), naming("to")] },
      { constructor: "" },
    ],
    ["has a pattern for it", { patternProperties: { "^x-": text } }, { "x-a": "" }],
    ["allows any", { ...naming("id"), additionalProperties: true }, { more: 1 }],
    ["allows some", { ...naming("id"), additionalProperties: { type: "number" } }, { more: 1 }],
    ["names the object around it", { properties: { deep: naming("id") } }, { deep: { more: 1 } }],
  ])("an argument is sent if the schema %s.", async (_, more, args) => {
    expect(await codeOf(schemaOf(more), args)).toBe("complete");
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["names others", naming("id"), { id: "", sql: "" }],
    ["names none", {}, { sql: "" }],
    ["names others in its parts", { allOf: [naming("id"), naming("to")] }, { id: "", sql: "" }],
    ["names others in its alternatives", { anyOf: [naming("id"), naming("to")] }, { sql: "" }],
    [
      "names others behind a reference",
      { $ref: "#/definitions/d", definitions: { d: naming("id") } },
      { sql: "" },
    ],
    ["has a pattern for others", { patternProperties: { "^x-": text } }, { sql: "" }],
    ["names others that objects inherit", naming("id"), { constructor: "" }],
    [
      "names others in its alternatives, which inherit it",
      { oneOf: [naming("id"), false] },
      { id: "", toString: "" },
    ],
    [
      "names others on a condition, which inherit it",
      { if: naming("id"), else: naming("to") },
      { id: "", valueOf: "" },
    ],
    [
      "has names of its own, and inherits others",
      { anyOf: [naming("id")], propertyNames: { maxLength: 40 } },
      { id: "", constructor: "" },
    ],
  ])("an argument is refused if the schema %s.", async (_, more, args) => {
    expect(await codeOf(schemaOf(more), args)).toBe("invalid-arguments");
  });
});
