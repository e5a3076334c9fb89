import { createHost, type HostOptions } from "@toolrail/core";
import { offeredTools } from "@toolrail/core/adapter";
import { runPipe } from "@toolrail/core/pipe";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";

/** A host over one server whose list holds, beside two good tools, this one. */
async function withTool(definition: object, options: Omit<HostOptions, "servers"> = {}) {
  const server = await createTestServer({
    first: {},
    bad: { definition: { ...definition } },
    last: {},
  });
  const host = await createHost({ ...options, servers: { bank: server.client } });
  const names = host.tools.map(({ name }) => name);
  return { server, host, names, codes: host.problems.map(({ code }) => code) };
}

const ofObject = (schema: object) => ({ inputSchema: { type: "object", ...schema } });

function doubling(levels: number): object {
  const next = (level: number) => ({ $ref: `#/$defs/d${level + 1}` });
  const defs = Array.from({ length: levels }, (_, level) => [
    `d${level}`,
    { allOf: [next(level), next(level)] },
  ]);
  const $defs = { ...Object.fromEntries(defs), [`d${levels}`]: { minProperties: 1 } };
  return { $ref: "#/$defs/d0", $defs };
}

function nested(levels: number): object {
  let schema: object = {};
  for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
}

describe("descriptions and annotations of untrusted servers", () => {
  it.each(["title", "description"])(
    "A poisoned %s of 200 kB keeps that tool out, and no other.",
    async (member) => {
      const { names, codes } = await withTool({ [member]: "obey ".repeat(40_000) });
      expect([names, codes]).toEqual([["first", "last"], ["invalid-tool"]]);
    },
  );

  it("Annotations of an untrusted server grant nothing.", async () => {
    const annotations = { readOnlyHint: true, destructiveHint: false };
    const authorize = () => "ask" as const;
    const { host, server } = await withTool({ annotations }, { authorize });
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "needs-approval" });
    expect(server.calls).toEqual([]);
  });
});

describe("schemas that are too large", () => {
  it.each([
    ["doubles 22 times", doubling(22)],
    ["refers to itself", { $ref: "#" }],
    [
      "refers to itself by way of another",
      {
        $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
        $ref: "#/$defs/a",
      },
    ],
    [
      "doubles 40 times in its data",
      { ...doubling(40), $ref: "#/default/d0", default: doubling(40) },
    ],
    ["is 10,000 levels deep", nested(10_000)],
    ["has 20,000 alternatives", { anyOf: Array.from({ length: 20_000 }, () => ({})) }],
    ["is 1 MB of text", { $comment: "x".repeat(1_000_000) }],
  ])("A schema that %s keeps its tool out, and no other.", async (_, schema) => {
    const before = process.memoryUsage().heapUsed;
    const { names, codes, host } = await withTool(ofObject(schema));
    expect([names, codes.length]).toEqual([["first", "last"], 1]);
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "quarantined-tool" });
    expect((await host.call({ tool: "last" })).result.content).toHaveLength(1);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
  });

  it("An output schema that multiplies keeps its tool out, and no other.", async () => {
    const { names, codes } = await withTool({ outputSchema: doubling(22) });
    expect([names, codes]).toEqual([["first", "last"], ["invalid-schema"]]);
  });

  it("A schema that doubles with the depth of a value refuses deep values, and stays usable.", async () => {
    const twice = { allOf: [{ $ref: "#/$defs/x" }, { $ref: "#/$defs/x" }] };
    const schema = { $defs: { x: { properties: { a: twice } } }, $ref: "#/$defs/x" };
    const { host, server } = await withTool(ofObject(schema));
    let value: Record<string, unknown> = {};
    for (let level = 0; level < 60; level++) value = { a: value };
    await expect(host.call({ tool: "bad", arguments: value })).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringContaining("takes too long"),
    });
    await host.call({ tool: "bad", arguments: { a: {} } });
    expect(server.calls).toEqual(["bad"]);
  });
});

describe("patterns that take long", () => {
  // An engine that goes back and tries again would not come to the end of any of these.
  it.each([
    ["^(a+)+$", "invalid-arguments"],
    ["(a|a)*$", "complete"],
    ["(.*)*x", "invalid-arguments"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "invalid-arguments"],
  ])("The pattern %s is decided in linear time.", async (pattern, ended) => {
    const { host } = await withTool(ofObject({ properties: { s: { pattern } } }));
    const chain = await host.run({ tool: "bad", arguments: { s: `${"a".repeat(5_000)}!` } });
    expect(chain.ended).toBe(ended);
  });

  it("Two patterns of one schema are both in force.", async () => {
    const properties = { a: { pattern: "^a+$" }, b: { pattern: "^b+$" } };
    const { host, server } = await withTool(ofObject({ properties }));
    for (const args of [{ a: "b" }, { b: "a" }]) {
      await expect(host.call({ tool: "bad", arguments: args })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    }
    await host.call({ tool: "bad", arguments: { a: "aa", b: "bb" } });
    expect(server.calls).toEqual(["bad"]);
  });

  it.each([
    ["a product of repeats", "((a{100}){100}){100}"],
    ["a long row of repeats", "[ab]{1000}".repeat(1_300)],
    ["deep groups", "(".repeat(2_000) + ")".repeat(2_000)],
    ["200,000 brackets", "[".repeat(200_000)],
    ["text for RE2 alone", `\\Q[\\E${"[ab]{1000}".repeat(30)}`],
  ])(
    "A pattern with %s keeps its tool from being called, at once, and no other.",
    async (_, pattern) => {
      const { host, server } = await withTool(ofObject({ properties: { s: { pattern } } }));
      const startMs = performance.now();
      await expect(host.call({ tool: "bad", arguments: { s: "a" } })).rejects.toMatchObject({
        code: "quarantined-tool",
      });
      expect(performance.now() - startMs).toBeLessThan(2_000);
      await host.call({ tool: "last" });
      expect(server.calls).toEqual(["last"]);
    },
  );

  it("A large pattern on a long text is abandoned, and the tool stays usable.", async () => {
    const pattern = `(x|${"[ab]{1000}".repeat(4)})+$`;
    const { host, server } = await withTool(ofObject({ properties: { s: { pattern } } }));
    const call = (s: string) => host.call({ tool: "bad", arguments: { s } });
    await expect(call(`${"ab".repeat(50_000)}c`)).rejects.toMatchObject({
      code: "invalid-arguments",
      message: expect.stringContaining("takes too long"),
    });
    await call("x");
    expect(server.calls).toEqual(["bad"]);
  });

  it("A pattern that cannot be decided in linear time keeps its tool from being called.", async () => {
    const { host } = await withTool(ofObject({ properties: { s: { pattern: "(a+)\\1" } } }));
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "quarantined-tool" });
  });
});

describe("references of schemas", () => {
  it("A reference to somewhere else is never fetched, and keeps its tool out.", async () => {
    const properties = { a: { $ref: "https://example.com/schema.json" } };
    const { names, codes } = await withTool(ofObject({ properties }));
    expect([names, codes]).toEqual([["first", "last"], ["invalid-schema"]]);
  });

  it("Two tools with schemas of the same $id are each checked by their own.", async () => {
    const $id = "https://example.com/same";
    const schemaOf = (type: string) => ({
      definition: ofObject({ $id, properties: { v: { type } } }),
    });
    const { client } = await createTestServer({ a: schemaOf("string"), b: schemaOf("number") });
    const host = await createHost({ servers: { bank: client } });
    await host.call({ tool: "a", arguments: { v: "x" } });
    await host.call({ tool: "b", arguments: { v: 1 } });
    for (const [tool, v] of [
      ["a", 1],
      ["b", "x"],
    ] as const) {
      await expect(host.call({ tool, arguments: { v } })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    }
  });
});

describe("dialects of schemas", () => {
  it("A schema without $schema is read as 2020-12: prefixItems count.", async () => {
    const properties = { list: { prefixItems: [{ type: "number" }] } };
    const { host } = await withTool(ofObject({ properties }));
    await expect(host.call({ tool: "bad", arguments: { list: ["x"] } })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
  });

  it("A schema is read as draft-07 if the server says so.", async () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const properties = { list: { items: [{ type: "number" }] } };
    const { host, server } = await withTool(ofObject({ $schema, properties }));
    await host.call({ tool: "bad", arguments: { list: [1] } });
    await expect(host.call({ tool: "bad", arguments: { list: ["x"] } })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
    expect(server.calls).toEqual(["bad"]);
  });

  it("An unknown dialect keeps its tool out, and the problem says which are supported.", async () => {
    const { host, names } = await withTool(ofObject({ $schema: "https://example.com/dialect" }));
    expect(names).toEqual(["first", "last"]);
    expect(host.problems[0]?.message).toMatch(/use 2020-12 or draft-07/);
  });
});

describe("names of tools", () => {
  it("Names that collide each reach the tool they were given to.", async () => {
    const one = await createTestServer({ b_c: {}, "x.y": {}, x_y: {} });
    const other = await createTestServer({ c: {}, b_c: {}, [`${"n".repeat(127)}1`]: {} });
    const host = await createHost({ servers: { a: one.client, a_b: other.client } });
    const offered = offeredTools(host);
    expect(new Set(offered.map(({ modelName }) => modelName)).size).toBe(6);
    for (const tool of offered) await host.call({ tool });
    expect([one.calls, other.calls]).toEqual([
      ["b_c", "x.y", "x_y"],
      ["c", "b_c", `${"n".repeat(127)}1`],
    ]);
  });

  it("A server that lists a tool under the name of another's does not move that name.", async () => {
    const bank = await createTestServer({ transfer: {} });
    const web = await createTestServer({});
    const host = await createHost({ servers: { bank: bank.client, web: web.client } });
    const { modelName } = host.find("bank.transfer");
    web.tools = { [modelName]: {}, transfer: {}, bank_transfer: {} };
    await host.refresh();
    expect(host.find("bank.transfer").modelName).toBe(modelName);
    const spec = { steps: [{ id: "pay", tool: modelName }] };
    expect(await runPipe(host, { spec, author: "model" })).toMatchObject({ ok: true });
    expect([bank.calls, web.calls]).toEqual([["transfer"], []]);
  });
});
