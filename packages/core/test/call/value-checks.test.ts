import type { JsonSchemaValidator } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createHost, type HostOptions } from "../../src/index.ts";
import { createTestServer, type TestTool } from "../servers.ts";

async function open(tools: Record<string, TestTool>, options: Omit<HostOptions, "servers"> = {}) {
  const server = await createTestServer(tools);
  return { server, host: await createHost({ servers: { bank: server.client }, ...options }) };
}

const answering = (structuredContent: unknown, definition = {}): TestTool => ({
  definition,
  answer: () => ({ content: [], ...(structuredContent !== undefined && { structuredContent }) }),
});

const NUMBER = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

describe("arguments", () => {
  it.each([
    ["a list", [1]],
    ["a text", "{}"],
    ["a date", new Date()],
    ["a number that JSON cannot write", { n: Number.NaN }],
    ["an own __proto__", JSON.parse('{"n":{"__proto__":{"x":1}}}')],
  ])("that are %s are not sent", async (_, args) => {
    const { host, server } = await open({ a: {} });
    const call = host.call({ tool: "a", arguments: args as Record<string, unknown> });
    await expect(call).rejects.toMatchObject({ code: "invalid-arguments" });
    expect(server.calls).toEqual([]);
  });

  it("are not sent if they are too large or too deep", async () => {
    const limits = { maxArgumentBytes: 100, maxValueDepth: 5 };
    const { host } = await open({ a: {} }, { limits });
    const deep = JSON.parse(`${"[".repeat(9)}${"]".repeat(9)}`);
    for (const args of [{ x: "x".repeat(101) }, { deep }]) {
      await expect(host.call({ tool: "a", arguments: args })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    }
  });

  it("are not sent to a tool whose answer nobody could check", async () => {
    const { host, server } = await open({
      a: answering({}, { outputSchema: { properties: { x: { pattern: "(a)\\1" } } } }),
      b: {},
    });
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "quarantined-tool" });
    await host.call({ tool: "b" });
    expect(server.calls).toEqual(["b"]);
  });
});

describe("output", () => {
  it("is unchecked if there is nothing to check it by", async () => {
    const { host } = await open({ a: answering({ n: "x" }) });
    expect((await host.call({ tool: "a" })).output).toEqual({ status: "unchecked" });
  });

  it("is valid with the structured content as its value", async () => {
    const { host } = await open({ a: answering({ n: 1 }, { outputSchema: NUMBER }) });
    expect((await host.call({ tool: "a" })).output).toEqual({ status: "valid", value: { n: 1 } });
  });

  it("is invalid if it breaks the schema, or is promised and missing", async () => {
    const { host } = await open({
      a: answering({ n: "1" }, { outputSchema: NUMBER }),
      b: answering(undefined, { outputSchema: NUMBER }),
    });
    expect((await host.call({ tool: "a" })).output).toEqual({
      status: "invalid",
      message: "structuredContent of bank.a violates its outputSchema: /n must be number",
    });
    expect((await host.call({ tool: "b" })).output).toEqual({
      status: "invalid",
      message: "bank.b has an outputSchema, but sent no structuredContent",
    });
  });

  it("has the value that a registered parser makes of it", async () => {
    const schemas = { "bank.a": z.object({ day: z.string().transform((day) => day.length) }) };
    const { host } = await open({ a: answering({ day: "Monday" }) }, { schemas });
    const { output } = await host.call({ tool: "a" });
    expect(output).toEqual({ status: "valid", value: { day: 6 } });
  });

  it("is invalid if the parser refuses it or throws, and the result is kept", async () => {
    const breaking = z.unknown().transform(() => {
      throw new Error("bug");
    });
    const schemas = { "bank.a": z.object({ n: z.number() }), "bank.b": breaking };
    const { host } = await open({ a: answering({ n: "1" }), b: answering({}) }, { schemas });
    const [a, b] = [await host.call({ tool: "a" }), await host.call({ tool: "b" })];
    expect(a.output).toMatchObject({
      message: expect.stringContaining("rejected by its parser: /n"),
    });
    expect(a.result.structuredContent).toEqual({ n: "1" });
    expect(b.output).toMatchObject({
      message: expect.stringContaining("the parser of bank.b threw an error"),
    });
  });
});

describe("a validator of the application", () => {
  it("is asked instead of the default one, once for each schema", async () => {
    const compiled: unknown[] = [];
    const validator: JsonSchemaValidator = {
      getValidator(schema) {
        compiled.push(schema);
        return (data) => ({ valid: true, data, errorMessage: undefined });
      },
    };
    const { host } = await open({ a: { definition: { inputSchema: NUMBER } } }, { validator });
    await host.call({ tool: "a", arguments: { n: "not a number" } });
    await host.call({ tool: "a" });
    expect(compiled).toEqual([NUMBER]);
  });
});
