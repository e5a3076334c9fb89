import { createHost, type HostOptions, offeredTools } from "@toolrail/core";
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

describe("T4: a poisoned description", () => {
  it("of 200 kB keeps that tool out, and no other", async () => {
    const { names, codes } = await withTool({ description: "obey ".repeat(40_000) });
    expect([names, codes]).toEqual([["first", "last"], ["invalid-tool"]]);
  });

  it("does not come with annotations that grant anything", async () => {
    const annotations = { readOnlyHint: true, destructiveHint: false };
    const authorize = () => "ask" as const;
    const { host, server } = await withTool({ annotations }, { authorize });
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "needs-approval" });
    expect(server.calls).toEqual([]);
  });
});

describe("T9: a schema that is a bomb", () => {
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
    ["is 10,000 levels deep", nested(10_000)],
    ["has 20,000 alternatives", { anyOf: Array.from({ length: 20_000 }, () => ({})) }],
    ["is 1 MB of text", { $comment: "x".repeat(1_000_000) }],
  ])("because it %s keeps that tool out, and no other", async (_, schema) => {
    const before = process.memoryUsage().heapUsed;
    const { names, codes, host } = await withTool(ofObject(schema));
    expect([names, codes.length]).toEqual([["first", "last"], 1]);
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "quarantined-tool" });
    expect((await host.call({ tool: "last" })).result.content).toHaveLength(1);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000);
  });

  it("is treated the same in an output schema", async () => {
    const { names, codes } = await withTool({ outputSchema: doubling(22) });
    expect([names, codes]).toEqual([["first", "last"], ["invalid-schema"]]);
  });

  it("that doubles with the depth of a value refuses deep values, and stays usable", async () => {
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

describe("T10: a pattern that blocks", () => {
  // An engine that goes back and tries again would not come to the end of any of these.
  it.each([
    ["^(a+)+$", "invalid-arguments"],
    ["(a|a)*$", "complete"],
    ["(.*)*x", "invalid-arguments"],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", "invalid-arguments"],
  ])("%s is decided in linear time", async (pattern, ended) => {
    const { host } = await withTool(ofObject({ properties: { s: { pattern } } }));
    const chain = await host.run({ tool: "bad", arguments: { s: `${"a".repeat(5_000)}!` } });
    expect(chain.ended).toBe(ended);
  });

  it("leaves two patterns of one schema both in force", async () => {
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

  it("that cannot be decided in linear time keeps the tool from being called", async () => {
    const { host } = await withTool(ofObject({ properties: { s: { pattern: "(a+)\\1" } } }));
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "invalid-schema" });
  });
});

describe("T11: a reference to somewhere else", () => {
  it("is never fetched, and keeps that tool out", async () => {
    const properties = { a: { $ref: "https://example.com/schema.json" } };
    const { names, codes } = await withTool(ofObject({ properties }));
    expect([names, codes]).toEqual([["first", "last"], ["invalid-schema"]]);
  });

  it("does not make two tools share a schema by its $id", async () => {
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

describe("T12: a dialect that is mistaken", () => {
  it("is 2020-12 where none is named: prefixItems count", async () => {
    const properties = { list: { prefixItems: [{ type: "number" }] } };
    const { host } = await withTool(ofObject({ properties }));
    await expect(host.call({ tool: "bad", arguments: { list: ["x"] } })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
  });

  it("is draft-07 where a server says so", async () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const properties = { list: { items: [{ type: "number" }] } };
    const { host, server } = await withTool(ofObject({ $schema, properties }));
    await host.call({ tool: "bad", arguments: { list: [1] } });
    await expect(host.call({ tool: "bad", arguments: { list: ["x"] } })).rejects.toMatchObject({
      code: "invalid-arguments",
    });
    expect(server.calls).toEqual(["bad"]);
  });

  it("keeps the tool out where nobody knows it, and says which are known", async () => {
    const { host, names } = await withTool(ofObject({ $schema: "https://example.com/dialect" }));
    expect(names).toEqual(["first", "last"]);
    expect(host.problems[0]?.message).toMatch(/use 2020-12 or draft-07/);
  });
});

describe("T22: names that collide", () => {
  it("reach the tool they were given to", async () => {
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
});
