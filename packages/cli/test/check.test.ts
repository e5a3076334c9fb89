import { createHost, type McpPort } from "@toolrail/core";
import { encode } from "gpt-tokenizer";
import { beforeAll, describe, expect, it } from "vitest";
import { estimateCosts } from "../src/check.ts";
import { program, WELCOME } from "./program.ts";
import { runHere } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";

const SERVER = serveShop();

describe("toolrail check", () => {
  let report: { findings: Record<string, unknown>[]; summary: Record<string, number> };
  beforeAll(async () => {
    const asked = ["check", ...SERVER, "--profile", "contract", "--json"];
    const { code, stdout } = await runHere(asked);
    expect(code).toBe(1);
    report = JSON.parse(stdout);
  });

  it("toolrail check reports each finding with its tool, severity, rule, place and remedy.", () => {
    expect(report.findings).toContainEqual({
      profile: "contract",
      severity: "must",
      server: "shop",
      tool: "welcome",
      rule: "output-schema",
      path: "/outputSchema",
      message: expect.stringContaining("outputSchema"),
    });
    expect(report.findings.filter(({ tool }) => tool === "add")).not.toContainEqual(
      expect.objectContaining({ severity: "must" }),
    );
    expect(report.summary).toMatchObject({ servers: 1, tools: 10 });
  });

  it("toolrail check ends with what each server costs a model, a sum, and what to do.", async () => {
    const { stdout } = await runHere(["check", ...SERVER, "--profile", "contract"]);
    expect(stdout.slice(stdout.indexOf("In each request"))).toMatch(
      /^In each request to a model\n└─ shop: 10 tools, about [\d,]+ tokens\n\n✖ 10 tools of 1 server, about [\d,]+ tokens: \d+ must be fixed, \d+ should be\.\nFix what is marked MUST first: .*\n$/,
    );
  });

  it("toolrail check names a reason once, with the places where it holds.", async () => {
    const fields = Array.from({ length: 9 }, (_, at) => [
      `f${at}`,
      { description: "A list.", type: "array" },
    ]);
    const inputSchema = { type: "object", properties: Object.fromEntries(fields) };
    const list = `if (method === "tools/list") send({ id, result: { tools: ${JSON.stringify([{ name: "fill", inputSchema }])} } });`;
    const { stdout } = await runHere([
      "check",
      ...program(WELCOME + list),
      "--profile",
      "contract",
    ]);
    expect(stdout.match(/SHOULD free-form/g)).toHaveLength(1);
    expect(stdout).toContain(
      "├─ a.fill /inputSchema/properties/f7/items\n└─ a.fill /inputSchema/properties/f8/items",
    );
  });

  it("toolrail check estimates the tokens of a list within a quarter of what GPT counts.", async () => {
    const properties = {
      path: {
        type: "string",
        description: "The file to read, relative to the folder of the server.",
      },
      head: { type: "integer", minimum: 1, description: "Reads only the first lines." },
      encoding: { enum: ["utf8", "latin1"], default: "utf8" },
    };
    const tools = ["read_file", "search_files", "list_directory"].map((name) => {
      const inputSchema = { type: "object", properties, required: ["path"] };
      return {
        name,
        description: `Does what ${name} says, in one of the allowed folders.`,
        inputSchema,
      };
    });
    const shop: McpPort = { list: async () => ({ tools }), call: async () => ({ content: [] }) };
    const host = await createHost({ servers: { shop } });
    const [cost] = estimateCosts(host, ["shop"]);
    const sent = host.tools.map(({ modelName: name, description, inputSchema: parameters }) => {
      return { type: "function", function: { name, description, parameters } };
    });
    const counted = encode(JSON.stringify(sent)).length;
    expect(cost?.tokens).toBeGreaterThan(counted * 0.75);
    expect(cost?.tokens).toBeLessThan(counted * 1.25);
  });

  it("toolrail check asks for what the specification requires, if no profile is named.", async () => {
    const { code, stdout } = await runHere(["check", ...SERVER]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^In each request to a model\n/);
  });

  it("toolrail check --profile mcp asks for what the specification requires, and no more.", async () => {
    const { code, stdout } = await runHere(["check", ...SERVER, "--profile", "mcp", "--json"]);
    expect(code).toBe(0);
    const { findings, summary } = JSON.parse(stdout);
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ must: 0, should: 0 });
  });

  it("toolrail check --profile contract leaves out what the specification requires.", async () => {
    const task = {
      name: "t",
      inputSchema: { type: "object" },
      execution: { taskSupport: "required" },
    };
    const list = `if (method === "tools/list") send({ id, result: { tools: [${JSON.stringify(task)}] } });`;
    const server = program(WELCOME + list);
    expect((await runHere(["check", ...server])).stdout).toMatch(/^SHOULD task/);
    const { stdout } = await runHere(["check", ...SERVER, "--profile", "contract"]);
    expect(stdout).toMatch(/^MUST /);
    expect(stdout).not.toContain("task-required");
  });

  it.each(["mcp", "contract"])(
    "toolrail check --profile %s fails if a server or a tool could not be checked.",
    async (profile) => {
      const tools = [{ name: "odd", inputSchema: "none" }];
      const list = `if (method === "tools/list") send({ id, result: ${JSON.stringify({ tools })} });`;
      const servers = [...program(WELCOME + list), "--server", "dead=never-started"];
      const { code, stdout } = await runHere(["check", ...servers, "--profile", profile, "--json"]);
      expect(code).toBe(1);
      const rules = JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
      expect(rules.toSorted()).toEqual(["invalid-schema", "list-failed"]);
    },
  );
});
