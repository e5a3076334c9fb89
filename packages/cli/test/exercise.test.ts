import { setTimeout as sleep } from "node:timers/promises";
import { createHost, type JsonObject, type McpPort } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../core/test/servers.ts";
import { exerciseHost, exerciseOptions } from "../src/check/exercise-host.ts";

const READ_ONLY = { annotations: { readOnlyHint: true } };

interface Options {
  readonly signal?: AbortSignal;
  readonly answer?: McpPort["call"];
}

/** Exercises these tools of one server, and counts their calls. */
async function exercise(tools: readonly JsonObject[], options: Options = {}) {
  const calls: string[] = [];
  const { signal = new AbortController().signal, answer = async () => ({ content: [] }) } = options;
  const port: McpPort = {
    list: async () => ({ tools }),
    call: async (request, callOptions) => {
      calls.push(request.name);
      return answer(request, callOptions);
    },
  };
  const inputs = new Set<object>();
  const host = await createHost({ servers: { shop: port }, ...exerciseOptions(inputs, 1_000) });
  for (const { inputSchema } of host.tools) inputs.add(inputSchema);
  return { calls, results: await exerciseHost(host, { signal, all: false }) };
}

const object = (properties: JsonObject, required: readonly string[] = []) => ({
  inputSchema: { type: "object", properties, required },
});

describe("exerciseHost", () => {
  it("A tool is called at most 20 times.", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `p${at}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const { calls } = await exercise([
      { name: "wide", ...READ_ONLY, ...object(properties, names) },
    ]);
    expect(calls).toHaveLength(20);
  });

  it("An exercise ends after 500 calls, and says which tools were not called.", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`p${at}`, { type: "string" }]),
    );
    const tools = Array.from({ length: 40 }, (_, at) => ({
      name: `t${at}`,
      ...READ_ONLY,
      ...object(properties),
    }));
    const { calls, results } = await exercise(tools);
    expect(calls).toHaveLength(500);
    expect(results.at(-1)?.exercise.skipped).toBe("the exercise stops after 500 calls");
  });

  it("A schema that asks for much is answered with little, in time.", async () => {
    const much = [
      { type: "array", minItems: 100_000_000, items: { type: "string" } },
      { type: "string", minLength: 1_000_000_000 },
      { type: "array", contains: { const: 1 }, minContains: 100_000_000 },
    ];
    const tools = much.map((schema, at) => ({
      name: `t${at}`,
      ...READ_ONLY,
      ...object({ a: schema, b: { type: "object", properties: { c: schema } } }, ["a"]),
    }));
    const { results } = await exercise(tools);
    expect(results.map(({ exercise: { valid } }) => valid)).toEqual([0, 0, 0]);
  });

  it("A schema that multiplies is answered with little, in bounded memory.", async () => {
    const list = (items: object) => ({ type: "array", minItems: 50_000_000, items });
    const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
    const eight = (one: object) => ({
      type: "object",
      properties: Object.fromEntries([..."abcdefgh"].map((name) => [name, one])),
      required: [..."abcdefgh"],
    });
    const $defs = { w0: eight({ type: "string", minLength: 2_000 }), w1: eight(ref("w0")) };
    const more = { ...$defs, w2: eight(ref("w1")), w3: eight(ref("w2")), w4: eight(ref("w3")) };
    const much = [
      list(list(list(list({ type: "string", minLength: 2_000 })))),
      list({ type: "string", minLength: 500_000_000, maxLength: 600_000_000 }),
      list(list(list({ default: "x".repeat(100_000) }))),
      { type: "array", minItems: 1e9, maxItems: 2e9, items: { type: "number" } },
      { type: "string", pattern: `^${"(".repeat(30)}a${"*)".repeat(30)}*$`, minLength: 1 },
      { type: "string", pattern: `^${"((b)".repeat(30)}a${"*)".repeat(30)}*$`, minLength: 1 },
      ref("w4"),
    ];
    const tools = much.map((schema, at) => ({
      name: `t${at}`,
      ...READ_ONLY,
      inputSchema: { type: "object", properties: { a: schema }, required: ["a"], $defs: more },
    }));
    const { results } = await exercise(tools);
    expect(results.map(({ exercise: { skipped } }) => skipped)).toEqual(much.map(() => undefined));
  });

  it("An exercise of tools that are not called can be aborted.", async () => {
    const cancel = new AbortController();
    const tools = Array.from({ length: 100 }, (_, at) => ({ name: `t${at}`, ...object({}) }));
    const exercised = exercise(tools, { signal: cancel.signal });
    setTimeout(() => cancel.abort(new Error("enough")), 0);
    await expect(exercised).rejects.toThrow("enough");
  });

  it("A tool whose schema cannot be used is skipped, and the others are called.", async () => {
    const odd = { name: "odd", ...READ_ONLY, ...object({ a: { pattern: "(?<=a)(b)\\1" } }) };
    const { calls, results } = await exercise([odd, { name: "fine", ...READ_ONLY, ...object({}) }]);
    expect(results[0]?.exercise.skipped).toMatch(/^its inputSchema cannot be used/);
    expect(new Set(calls)).toEqual(new Set(["fine"]));
  });

  it("A tool that may change something is not called.", async () => {
    const hints = [{}, { readOnlyHint: false }, { readOnlyHint: true, destructiveHint: true }];
    const tools = hints.map((annotations, at) => ({ name: `t${at}`, annotations, ...object({}) }));
    const { calls, results } = await exercise(tools);
    expect(calls).toEqual([]);
    expect(results.map(({ exercise: { skipped } }) => skipped)).toEqual([
      expect.stringContaining("does not say"),
      expect.stringContaining("may change"),
      expect.stringContaining("may change"),
    ]);
  });

  it("An answer that is too large is reported and not kept.", async () => {
    const answer = async () => ({ content: [{ type: "text", text: "x".repeat(2_000_000) }] });
    const { results } = await exercise([{ name: "large", ...READ_ONLY, ...object({}) }], {
      answer,
    });
    expect(results[0]?.findings[0]).toMatchObject({ severity: "must", tool: "large" });
    expect(JSON.stringify(results).length).toBeLessThan(5_000);
  });

  it("An exercise that is aborted makes no further call and rejects.", async () => {
    const cancel = new AbortController();
    const tools = ["a", "b"].map((name) => ({ name, ...READ_ONLY, ...object({}) }));
    const answer = async () => {
      cancel.abort(new Error("enough"));
      return { content: [] };
    };
    const exercised = exercise(tools, { answer, signal: cancel.signal });
    await expect(exercised).rejects.toThrow("enough");
  });

  it("A tool that fails all valid calls is found, and one that trips over its own output is a must.", async () => {
    const said = (text: string, isError = true) => ({ content: [{ type: "text", text }], isError });
    const tools = ["schema", "missing", "open"].map((name) => ({
      name,
      ...READ_ONLY,
      ...object({ path: { type: "string" } }, ["path"]),
      outputSchema: { type: "object" },
    }));
    const { results } = await exercise(tools, {
      async answer({ name, arguments: { path } }) {
        if (name === "schema") return said("Output validation error: no structured content");
        if (name === "missing") return said("There is no such file.");
        return { ...said("read", typeof path !== "string" || path === ""), structuredContent: {} };
      },
    });
    const found = results.map(({ findings }) =>
      findings.flatMap(({ rule, severity }) => (rule === "always-fails" ? severity : [])),
    );
    expect(found).toEqual([["must"], ["should"], []]);
    expect(JSON.stringify(results[1])).toContain("There is no such file.");
  });

  it("An exercise ends on a tool that reports progress for ever and never answers.", async () => {
    const { client } = await createTestServer({
      endless: {
        definition: READ_ONLY,
        async answer({ progress, signal }) {
          for (let at = 1; !signal.aborted; at++) {
            await progress(at);
            await sleep(20);
          }
        },
      },
    });
    const host = await createHost({
      servers: { shop: client },
      ...exerciseOptions(new Set(), 200),
    });
    const { signal } = new AbortController();
    const [result] = await exerciseHost(host, { signal, all: false });
    expect(result?.findings.map(({ rule }) => rule)).toContain("timeout");
  });
});
