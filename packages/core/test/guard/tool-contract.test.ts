import { describe, expect, it } from "vitest";
import { type ContractTool, checkContract, createHost, type JsonObject } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

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
  it("finds nothing wrong with a tool that keeps its contract", () => {
    expect(found({})).toEqual([]);
  });

  it("finds no broken must in a tool that describes exactly what the contract demands", () => {
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
      "should bounded-string",
      "should closed-object",
    ]);
  });

  it.each([
    ["a missing description", { description: undefined }, "must description /description"],
    ["a blank description", { description: " " }, "must description /description"],
    ["a name for a description", { description: "Fetch doc" }, "should description /description"],
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
      "an input that is no object",
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
    [
      "annotations at odds",
      { annotations: { readOnlyHint: true, destructiveHint: true } },
      "must annotations /annotations",
    ],
    [
      "a hint that is no boolean",
      { annotations: { readOnlyHint: "yes" } },
      "should annotations /annotations/readOnlyHint",
    ],
  ])("reports %s", (_, change, finding) => {
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
      "a default that its schema refuses",
      { a: { type: "number", default: "x" } },
      "must default /inputSchema/properties/a/default",
    ],
    [
      "a text of any length",
      { a: { type: "string" } },
      "should bounded-string /inputSchema/properties/a",
    ],
    [
      "an argument deep inside",
      { "a/b": { type: "array", items: { type: "object", properties: { c: {} } } } },
      "must free-form /inputSchema/properties/a~1b/items/properties/c",
    ],
  ])("reports %s", (_, properties, finding) => {
    expect(input(properties)).toContain(finding);
  });

  it.each(["❤️‍🔥 and 👨‍👩‍👧", "می‌خواهم", "One line.\n\tAnd another."])(
    "takes %j for text that can be seen",
    (text) => {
      expect(found({ description: `Fetches a document: ${text}` })).toEqual([]);
    },
  );

  it("reports a required argument that is not described", () => {
    expect(input({}, { required: ["gone"] })).toContain("must required /inputSchema/required");
  });

  it("takes a required argument from a part of the schema", () => {
    const allOf = [{ properties: { a: { type: "number", description: "A." } } }];
    expect(input({}, { required: ["a"], allOf })).not.toContain(
      "must required /inputSchema/required",
    );
  });

  it("reports an input that is open to any argument as broken, and an unclosed one as improvable", () => {
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

  it("names the tool, what to do, and asks for a parser only where told that there is none", () => {
    const [finding] = checkContract({ ...SOUND, id: "docs.fetch_doc" }, { hasParser: false });
    expect(finding).toMatchObject({ rule: "typed-parser", tool: "docs.fetch_doc" });
    expect(finding?.message).toContain("register one under `schemas`");
  });
});

describe("createHost({ contract })", () => {
  const sloppy = { definition: { description: "Does something or other." } };
  const sound = {
    definition: SOUND,
    answer: () => ({ content: [], structuredContent: { doc_id: "1", content: "x" } }),
  };

  it("quarantines what breaks a must, and nothing else, when it enforces", async () => {
    const docs = await createTestServer({ sloppy, fetch_doc: sound });
    const host = await createHost({ servers: { docs: docs.client }, contract: "enforce" });
    expect(host.tools.map((tool) => tool.name)).toEqual(["fetch_doc"]);
    expect(host.problems).toMatchObject([{ code: "contract", tool: "sloppy", findings: [{}] }]);
    await expect(host.call({ tool: "sloppy" })).rejects.toMatchObject({ code: "quarantined-tool" });
    expect(docs.calls).toEqual([]);
  });

  it("lists findings and refuses nothing when it reports", async () => {
    const docs = await createTestServer({ sloppy });
    const host = await createHost({ servers: { docs: docs.client }, contract: "report" });
    expect(host.problems[0]?.findings?.length).toBeGreaterThan(0);
    expect((await host.run({ tool: "sloppy" })).ended).toBe("complete");
  });

  it("refuses a mode that does not exist", async () => {
    const docs = await createTestServer({});
    const contract = "strict" as "enforce";
    await expect(createHost({ servers: { docs: docs.client }, contract })).rejects.toMatchObject({
      code: "invalid-options",
    });
  });
});
