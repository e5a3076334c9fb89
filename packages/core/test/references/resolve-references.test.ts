import { createHost } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { references } from "@toolrail/core/references";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../servers.ts";

const LOST = {
  code: "invalid-arguments",
  message: expect.stringContaining("is not a kept result"),
};
const MODEL = { conversation: "s", origin: { by: "model" } } as const;
const ROWS = Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}`, "a.b": true }));
const PAGE = "a line of text\n".repeat(1_000);

const TOOLS = {
  rows: { answer: () => ({ content: [], structuredContent: { rows: ROWS, total: 500 } }) },
  json: { answer: () => ({ content: [{ type: "text", text: JSON.stringify(ROWS) }] }) },
  page: { answer: () => ({ content: [{ type: "text", text: PAGE }] }) },
  file: {
    answer: () => ({
      content: [
        { type: "text", text: "Here it is." },
        { type: "resource", resource: { uri: "file:///a", text: PAGE } },
      ],
    }),
  },
};

/** What a tool with this argument is sent for a value that a model wrote, `K` being the name of the kept result. */
async function pass(from: keyof typeof TOOLS, given: { value: unknown; schema?: JsonObject }) {
  const { value, schema = {} } = given;
  const inputSchema = { type: "object", properties: { value: schema } };
  const server = await createTestServer({ ...TOOLS, take: { definition: { inputSchema } } });
  const host = await createHost({ servers: { web: server.client }, use: [references()] });
  const { kept = "" } = await host.keep(await host.call({ tool: from }), { conversation: "s" });
  const written = JSON.parse(JSON.stringify(value).replaceAll("K", kept));
  const hop = await host.call({ tool: "take", arguments: { value: written } }, MODEL);
  expect(hop.written).toEqual({ value: written });
  return server.seen.at(-1)?.arguments.value;
}

const TEXT = { type: "string" };

describe("an address in the arguments of a model", () => {
  it.each<[string, Parameters<typeof pass>, unknown]>([
    ["a text", ["page", { value: "${K.text}", schema: TEXT }], PAGE],
    ["a text written with spaces", ["page", { value: " ${ K.text } ", schema: TEXT }], PAGE],
    ["a text without a path", ["page", { value: "${K}", schema: TEXT }], PAGE],
    ["a text inside a text", ["page", { value: "<${K.text}>" }], `<${PAGE}>`],
    ["a list by a text", ["rows", { value: "${K.structured.rows}" }], ROWS],
    ["a list by an object", ["rows", { value: { $ref: "K.structured.rows" } }], ROWS],
    [
      "a list where the object writes ${}",
      ["rows", { value: { $ref: "${K.structured.rows}" } }],
      ROWS,
    ],
    ["a number", ["rows", { value: "${K.structured.total}", schema: { type: "integer" } }], 500],
    ["an item", ["rows", { value: "${K.structured.rows[2].name}" }], "row 2"],
    ["an odd key", ["rows", { value: '${K.structured.rows[2]["a.b"]}' }], true],
    ["a structure without a path", ["rows", { value: { $ref: "K" } }], { rows: ROWS, total: 500 }],
    [
      "JSON where a text is wanted",
      ["rows", { value: "${K.structured.rows}", schema: TEXT }],
      JSON.stringify(ROWS),
    ],
    [
      "JSON inside a text",
      ["rows", { value: "first: ${K.structured.rows.0}" }],
      `first: ${JSON.stringify(ROWS[0])}`,
    ],
    ["a part of a text that is JSON", ["json", { value: "${K.structured[3].name}" }], "row 3"],
    ["the text that is JSON", ["json", { value: "${K.text}" }], JSON.stringify(ROWS)],
    ["an embedded file", ["file", { value: "${K.content[1].resource.text}" }], PAGE],
    [
      "values deep in arguments",
      ["rows", { value: [{ to: "${K.structured.total}" }] }],
      [{ to: 500 }],
    ],
  ])("becomes %s", async (_, [from, given], expected) => {
    expect(await pass(from, given)).toEqual(expected);
  });

  it.each(["K.text", "{K.text}", "{{K.text}}", '"K.text"', "see K.text", "$K.text", { ref: "K" }])(
    "is not seen in %j, which is sent as it is",
    async (value) => {
      const server = await createTestServer({ take: {} });
      const host = await createHost({ servers: { web: server.client }, use: [references()] });
      const given = JSON.parse(JSON.stringify({ value }).replaceAll("K", "k4f9b2"));
      const hop = await host.call({ tool: "take", arguments: given }, MODEL);
      expect(server.seen.at(-1)?.arguments).toEqual(given);
      expect(hop).not.toHaveProperty("written");
    },
  );

  it("is refused if the conversation has no such result, and nothing is called", async () => {
    for (const value of ["${k4f9b2.text}", "see ${k4f9b2.text}", { $ref: "k4f9b2.structured" }])
      await expect(pass("page", { value })).rejects.toMatchObject(LOST);
  });

  it("is checked against the schema by what it stands for", async () => {
    const schema = { type: "string", maxLength: 100 };
    await expect(pass("page", { value: "${K.text}", schema })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
  });

  it("is inserted before authorize is asked, which sees what it stands for", async () => {
    const server = await createTestServer({ ...TOOLS, take: {} });
    const seen: unknown[] = [];
    const host = await createHost({
      servers: { web: server.client },
      use: [references()],
      authorize({ arguments: args, references }) {
        seen.push(args.to, references);
        return "allow";
      },
    });
    const page = await host.call({ tool: "page" });
    const { kept } = await host.keep(page, { conversation: "s" });
    await host.call({ tool: "take", arguments: { to: `\${${kept}.text}` } }, MODEL);
    const address = `\${${kept}.text}`;
    expect(seen.slice(-2)).toEqual([
      PAGE,
      [{ path: "to", address, preview: `${PAGE.slice(0, 300)}…` }],
    ]);
  });

  it("is kept with the call instead of the value", async () => {
    const server = await createTestServer({ ...TOOLS, take: {} });
    const host = await createHost({ servers: { web: server.client }, use: [references()] });
    const { kept } = await host.keep(await host.call({ tool: "page" }), { conversation: "s" });
    const args = { to: `\${${kept}.text}` };
    const hop = await host.call({ tool: "take", arguments: args }, MODEL);
    expect(hop.arguments).toEqual({ to: PAGE });
    const short = await host.keep(hop, { conversation: "s" });
    expect(short.arguments).toEqual(args);
    expect(JSON.stringify(short).length).toBeLessThan(1_000);
  });
});
