import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
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

/** A server that may be made to crash, and whose start takes nothing of the time for its answers. */
async function startHttpProcess(): Promise<string> {
  const file = fileURLToPath(new URL("./fixtures/http-process.ts", import.meta.url));
  const stdio = ["ignore", "pipe", "ignore"] as const;
  const child = spawn(process.execPath, ["--conditions=@toolrail/source", file], {
    stdio: [...stdio],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [url] = (await once(createInterface(child.stdout), "line")) as [string];
  return url;
}

describe("toolrail check --exercise", () => {
  it("toolrail check --exercise calls read-only tools alone and reports outputs that break their schema.", async () => {
    const { code, stdout } = await runHere(["check", ...SERVER, "--exercise", "--json"]);
    expect(code).toBe(1);
    const { findings, exercises } = JSON.parse(stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({ tool: "wrong", severity: "must", rule: "broken-output" }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ tool: "add", severity: "should", rule: "accepts-invalid" }),
    );
    const called = exercises.filter(({ skipped }: { skipped?: string }) => skipped === undefined);
    expect(called.map(({ tool }: { tool: string }) => tool)).toEqual(["add", "wrong"]);
    expect(called[0]).toMatchObject({ valid: 1, invalid: 5 });
    expect(called[0].borderline).toBeGreaterThan(3);
    expect(exercises).toContainEqual(
      expect.objectContaining({
        tool: "open_account",
        skipped: expect.stringContaining("--yes calls it anyway"),
      }),
    );
  });

  it("toolrail check --exercise calls every tool with --yes, and lets none take longer than --timeout.", async () => {
    const flags = ["--exercise", "--yes", "--timeout", "4000"];
    const server = await startHttpProcess();
    const { stdout } = await runHere(["check", "--server", `shop=${server}`, ...flags]);
    expect(stdout).toMatch(
      /shop\.refuse: called with 1 valid, 0 borderline and \d+ invalid arguments/,
    );
    expect(stdout).toMatch(/SHOULD timeout valid\n.*shop\.wait got no answer in time/);
    expect(stdout).toContain("shop.escape: not called, its server was lost when crash was called");
    expect(stdout.match(/MUST connection/g)).toHaveLength(1);
  });
});
