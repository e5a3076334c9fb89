import type { JsonObject } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import { type ContractTool, checkContract } from "../../src/contract/index.ts";

const SOUND = {
  name: "fetch_doc",
  description: "Fetches a document by its id and returns its content.",
  inputSchema: {
    type: "object",
    properties: { doc_id: { type: "string", description: "Id of the document.", maxLength: 40 } },
    required: ["doc_id"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { doc_id: { type: "string" }, content: { type: "string" } },
    required: ["doc_id", "content"],
    additionalProperties: false,
  },
} satisfies ContractTool;

function found(change: Partial<Record<keyof ContractTool, unknown>>): string[] {
  return checkContract({ ...SOUND, ...change } as ContractTool).map(
    ({ severity, rule, path }) => `${severity} ${rule} ${path}`,
  );
}

function input(properties: JsonObject, more: JsonObject = {}): string[] {
  return found({ inputSchema: { ...SOUND.inputSchema, required: [], properties, ...more } });
}

describe("checkContract", () => {
  it("There is no finding for a tool that keeps its contract.", () => {
    expect(found({})).toEqual([]);
  });

  it("A tool that describes exactly what the contract demands breaks no must.", () => {
    const tool = {
      name: "fetch_sharepoint_doc",
      description: "Fetch a SharePoint doc by id and return its content.",
      inputSchema: {
        type: "object",
        properties: { doc_id: { type: "string" } },
        required: ["doc_id"],
      },
      outputSchema: {
        type: "object",
        properties: { doc_id: { type: "string" }, content: { type: "string" } },
        required: ["doc_id", "content"],
      },
    };
    expect(checkContract(tool).map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
      "should closed-object",
      "should argument-description",
      "should closed-object",
    ]);
  });

  it.each([
    ["a missing description", { description: undefined }, "must description /description"],
    ["a blank description", { description: " " }, "must description /description"],
    ["a name for a description", { description: "Fetch doc" }, "must description /description"],
    ["an odd name", { name: "fetch doc" }, "should name /name"],
    ["hidden text", { description: "Fetches a\u200b document." }, "must hidden-text /description"],
    ["text in tag characters", { title: "Fetch\u{e0041}" }, "must hidden-text /title"],
    ["text in variation selectors", { title: "Fetch\u{e0141}" }, "must hidden-text /title"],
    ["text in joiners", { title: "Fetch\u200c\u200d\u200c" }, "must hidden-text /title"],
    ["a control sequence", { title: "Fetch\u001b[8m all" }, "must hidden-text /title"],
    [
      "hidden text in the output",
      { outputSchema: { ...SOUND.outputSchema, description: "A\u3164b" } },
      "must hidden-text /outputSchema/description",
    ],
    [
      "hidden text in annotations",
      { annotations: { title: "A\u200bb" } },
      "must hidden-text /annotations/title",
    ],
    ["no name", { name: undefined }, "must name /name"],
    ["no input schema", { inputSchema: undefined }, "must input-schema /inputSchema"],
    [
      "an input that is not an object",
      { inputSchema: { type: "string" } },
      "must input-schema /inputSchema/type",
    ],
    [
      "a schema that is not one",
      { inputSchema: { type: "objekt" } },
      "must input-schema /inputSchema",
    ],
    ["no output schema", { outputSchema: undefined }, "must output-schema /outputSchema"],
    [
      "a remote reference",
      { outputSchema: { $ref: "https://example.com/s" } },
      "must output-schema /outputSchema",
    ],
    ["an output schema that says nothing", { outputSchema: {} }, "must free-form /outputSchema"],
    [
      "an output object without fields",
      { outputSchema: { type: "object" } },
      "must free-form /outputSchema",
    ],
    [
      "an output list of anything",
      { outputSchema: { type: "array" } },
      "must free-form /outputSchema",
    ],
    [
      "an output that may be anything as well",
      { outputSchema: { anyOf: [{ type: "string" }, {}] } },
      "must free-form /outputSchema",
    ],
  ])("A definition with %s is reported.", (_, change, finding) => {
    expect(found(change)).toContain(finding);
  });

  it.each([
    ["an argument that takes anything", { a: {} }, "must free-form /inputSchema/properties/a"],
    [
      "an argument that takes anything as well",
      { a: { anyOf: [{ type: "number" }, {}] } },
      "must free-form /inputSchema/properties/a",
    ],
    [
      "an argument that takes anything but one",
      { a: { not: { const: 1 } } },
      "must free-form /inputSchema/properties/a",
    ],
    [
      "a list of anything",
      { a: { type: "array", items: {} } },
      "should free-form /inputSchema/properties/a/items",
    ],
    [
      "hidden text in a value to choose",
      { a: { enum: ["x", "y\u202e"] } },
      "must hidden-text /inputSchema/properties/a/enum/1",
    ],
    [
      "hidden text in the name of an argument",
      { "a\u200b": { type: "number" } },
      "must hidden-text /inputSchema/properties/a\u200b",
    ],
    [
      "an argument without a description",
      { a: { type: "number" } },
      "should argument-description /inputSchema/properties/a",
    ],
    [
      "an optional argument without a default",
      { a: { type: "number", description: "A." } },
      "should default /inputSchema/properties/a",
    ],
    [
      "an argument deep inside",
      { "a/b": { type: "array", items: { type: "object", properties: { c: {} } } } },
      "must free-form /inputSchema/properties/a~1b/items/properties/c",
    ],
  ])("An input schema with %s is reported.", (_, properties, finding) => {
    expect(input(properties)).toContain(finding);
  });

  it.each([
    [{ name: "fetch doc" }, "mcp"],
    [{ inputSchema: undefined }, "mcp"],
    [{ outputSchema: { $ref: "https://example.com/s" } }, "mcp"],
    [{ outputSchema: undefined }, "contract"],
    [{ description: undefined }, "contract"],
  ])("The finding for %j says that the source of the rule is %s.", (change, source) => {
    const findings = checkContract({ ...SOUND, ...change } as ContractTool);
    expect(findings.map((finding) => finding.source)).toEqual([source]);
  });

  it.each(["❤️‍🔥 and 👨‍👩‍👧", "می‌خواهم", "One line.\n\tAnd another."])(
    "The text %j counts as visible.",
    (text) => {
      expect(found({ description: `Fetches a document: ${text}` })).toEqual([]);
    },
  );

  it("A required argument that is not described is reported.", () => {
    expect(input({}, { required: ["gone"] })).toContain("must required /inputSchema/required");
  });

  it("A required argument may be described in a part of the schema.", () => {
    const allOf = [{ properties: { a: { type: "number", description: "A." } } }];
    expect(input({}, { required: ["a"], allOf })).not.toContain(
      "must required /inputSchema/required",
    );
  });

  it("An input schema open to any argument breaks a must; one that is not closed, a should.", () => {
    expect(input({}, { additionalProperties: true })).toContain(
      "must free-form /inputSchema/additionalProperties",
    );
    expect(input({}, { patternProperties: { ".*": {} } })).toContain(
      "must free-form /inputSchema/patternProperties/.*",
    );
    expect(input({}, { additionalProperties: undefined })).toContain(
      "should closed-object /inputSchema/additionalProperties",
    );
  });

  it("A thousand required names are checked in time.", () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `p${at}`);
    const allOf = names.map((name) => ({ properties: { [name]: { type: "number" } } }));
    const startMs = performance.now();
    expect(input({}, { allOf, required: [...names, "gone"] })).toContain(
      "must required /inputSchema/required",
    );
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  it.each([
    ["name a property", { properties: { z: { type: "string" } } }, { required: ["z"] }],
    ["take anything", {}, {}],
  ])(
    "A schema is judged once, however many references lead to it: those that %s.",
    (_, end, more) => {
      const twice = (at: number) => [{ $ref: `#/$defs/l${at}` }, { $ref: `#/$defs/l${at}` }];
      const levels = Array.from({ length: 24 }, (_, at) => [`l${at + 1}`, { allOf: twice(at) }]);
      const leading = Array.from({ length: 400 }, (_, at) => [
        `p${at}`,
        { ...more, $ref: "#/$defs/l24" },
      ]);
      const $defs = Object.fromEntries([["l0", end], ...levels]);
      // Judged by each of the ways to it, it would take hours.
      expect(input(Object.fromEntries(leading), { $defs })).toEqual(expect.any(Array));
    },
  );
});
