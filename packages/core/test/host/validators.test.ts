import { AjvJsonSchemaValidator as AjvOfV2 } from "@modelcontextprotocol/client/validators/ajv";
import { CfWorkerJsonSchemaValidator as CfWorkerOfV2 } from "@modelcontextprotocol/client/validators/cf-worker";
import { AjvJsonSchemaValidator as AjvOfV1 } from "@modelcontextprotocol/sdk/validation/ajv";
import { CfWorkerJsonSchemaValidator as CfWorkerOfV1 } from "@modelcontextprotocol/sdk/validation/cfworker";
import { describe, expect, it } from "vitest";
import { checkContract } from "../../src/contract/index.ts";
import { createHost, type HostOptions } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const $defs = { n: { type: "number", maximum: 10 } };
const $id = "https://example.com/same";
const definition = {
  description: "Doubles a number.",
  inputSchema: { type: "object", properties: { n: { $ref: "#/$defs/n" } }, required: ["n"], $defs },
  outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"], $id },
};
function freezeAll(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freezeAll);
}

const answer = (n: unknown) => () => ({ content: [], structuredContent: { n } });

describe.each<[string, () => NonNullable<HostOptions["validator"]>]>([
  ["Ajv of SDK v2", () => new AjvOfV2()],
  ["@cfworker/json-schema of SDK v2", () => new CfWorkerOfV2()],
  ["Ajv of SDK v1", () => new AjvOfV1()],
  ["@cfworker/json-schema of SDK v1", () => new CfWorkerOfV1()],
])("a host with the validator %s", (_, create) => {
  const open = async () => {
    const text = { type: "object", properties: { n: { type: "string" } }, $id };
    const server = await createTestServer({
      double: { definition, answer: answer(4) },
      wrong: { definition, answer: answer("4") },
      name: { definition: { ...definition, outputSchema: text }, answer: answer("four") },
    });
    const host = await createHost({ servers: { maths: server.client }, validator: create() });
    return { host, server };
  };

  it("calls a tool with arguments that its schema accepts, and sends no others", async () => {
    const { host, server } = await open();
    const { output } = await host.call({ tool: "double", arguments: { n: 2 } });
    expect(output).toEqual({ status: "valid", value: { n: 4 } });
    for (const args of [{ n: "2" }, { n: 11 }, {}]) {
      await expect(host.call({ tool: "double", arguments: args })).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    }
    expect(server.calls).toEqual(["double"]);
  });

  it("checks outputs, each by the schema of its own tool, though two have one $id", async () => {
    const { host } = await open();
    const statusOf = async (tool: string) =>
      (await host.call({ tool, arguments: { n: 2 } })).output.status;
    expect(await statusOf("double")).toBe("valid");
    expect(await statusOf("name")).toBe("valid");
    expect(await statusOf("wrong")).toBe("invalid");
  });

  it("serves a second host over the same definitions", async () => {
    await (await open()).host.call({ tool: "double", arguments: { n: 2 } });
    const { host } = await open();
    expect((await host.call({ tool: "double", arguments: { n: 2 } })).output.status).toBe("valid");
  });

  it("writes nothing into the definitions of a host", async () => {
    const { host } = await open();
    freezeAll(host.tools);
    const hop = await host.call({ tool: "double", arguments: { n: 2 } });
    expect(hop.output.status).toBe("valid");
  });

  it("judges definitions, and leaves them as they are", () => {
    const frozen = { name: "double", ...structuredClone(definition) };
    freezeAll(frozen);
    const rules = checkContract(frozen, { validator: create() }).map(({ rule }) => rule);
    expect(rules.filter((rule) => /schema/.test(rule))).toEqual([]);
  });
});
