import { beforeAll, describe, expect, it } from "vitest";
import { program, WELCOME } from "./program.ts";
import { FIXTURE } from "./run-cli.ts";
import { runHere } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";

const SERVER = serveShop();

describe("toolrail check", () => {
  let report: { findings: Record<string, unknown>[]; summary: Record<string, number> };
  beforeAll(async () => {
    const { code, stdout } = await runHere(["check", ...SERVER, "--json"]);
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

  it("toolrail check reports a server that logs to its standard output.", async () => {
    const chatty = ["--server", `shop=${FIXTURE} --chatty`];
    const { code, stdout } = await runHere(["check", ...chatty]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^MCP specification\n\nshop\n└─ MUST stdout[\s\S]*1 lines[\s\S]*log to stderr/,
    );
  });

  it("toolrail check ends with one line that sums it up.", async () => {
    const { stdout } = await runHere(["check", ...SERVER]);
    const last = stdout.trimEnd().split("\n").at(-1);
    expect(last).toMatch(/^✖ 10 tools of 1 server: \d+ must be fixed, \d+ should be\.$/);
  });

  it("toolrail check --profile mcp asks for what the specification requires, and no more.", async () => {
    const { code, stdout } = await runHere(["check", ...SERVER, "--profile", "mcp", "--json"]);
    expect(code).toBe(0);
    const { findings, summary } = JSON.parse(stdout);
    expect(findings).toEqual([]);
    expect(summary).toMatchObject({ must: 0, should: 0 });
  });

  it("toolrail check --profile mcp warns of schemas that providers refuse.", async () => {
    const schemas = {
      bare: { type: "object" },
      union: { type: "object", properties: {}, anyOf: [{}], not: {} },
      spaced: { type: "object", properties: { "a b": {}, "a.b-c_1": {} } },
    };
    const tools = Object.entries(schemas).map(([name, inputSchema]) => ({ name, inputSchema }));
    const list = `if (method === "tools/list") send({ id, result: { tools: ${JSON.stringify(tools)} } });`;
    const servers = program(WELCOME + list);
    const { code, stdout } = await runHere(["check", ...servers, "--profile", "mcp", "--json"]);
    expect(code).toBe(0);
    const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
    expect(findings.map(({ tool, severity, path }) => [tool, severity, path])).toEqual([
      ["bare", "should", "/inputSchema/properties"],
      ["spaced", "should", "/inputSchema/properties"],
      ["union", "should", "/inputSchema/anyOf"],
      ["union", "should", "/inputSchema/not"],
    ]);
    expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(["provider-schema"]));
  });

  it("toolrail check --profile contract leaves out what the specification requires.", async () => {
    const chatty = ["--server", `shop=${FIXTURE} --chatty`];
    const { stdout } = await runHere(["check", ...chatty, "--profile", "contract"]);
    expect(stdout).toMatch(/^Tool contract\n/);
    expect(stdout).not.toContain("MUST stdout");
    expect(stdout).not.toContain("MCP specification");
  });
});
