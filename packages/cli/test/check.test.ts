import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type HttpFixture, startHttpServer } from "./fixtures/http-server.ts";
import { FIXTURE } from "./run-cli.ts";
import { runHere } from "./run-here.ts";

const SERVER: string[] = [];
let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await startHttpServer("streamable");
  SERVER.push("--server", `shop=${fixture.url}`);
});
afterAll(() => fixture.close());

describe("toolrail check", () => {
  let report: { findings: Record<string, unknown>[]; summary: Record<string, number> };
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolrail-"));
    const { code, stdout } = await runHere(["check", ...SERVER, "--json"]);
    expect(code).toBe(1);
    report = JSON.parse(stdout);
  });

  it("reports each finding with its tool, severity, rule, place and remedy", () => {
    expect(report.findings).toContainEqual({
      severity: "must",
      server: "shop",
      tool: "welcome",
      rule: "output-schema",
      path: "/outputSchema",
      message: expect.stringContaining("outputSchema"),
      isNew: true,
    });
    expect(report.findings.filter(({ tool }) => tool === "add")).not.toContainEqual(
      expect.objectContaining({ severity: "must" }),
    );
    expect(report.summary).toMatchObject({ servers: 1, tools: 10 });
  });

  it("reports a server that logs where messages belong", async () => {
    const chatty = ["--server", `shop=${FIXTURE} --chatty`];
    const { code, stdout } = await runHere(["check", ...chatty]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^shop\n└─ MUST stdout[\s\S]*1 lines[\s\S]*log to stderr/);
  });

  it("ends with one line that sums it up", async () => {
    const { stdout } = await runHere(["check", ...SERVER]);
    const { must, should } = report.summary;
    const last = stdout.trimEnd().split("\n").at(-1);
    expect(last).toBe(`✖ 10 tools of 1 server: ${must} must be mended, ${should} should be.`);
  });

  it("prints Markdown, with the words of a stranger as words", async () => {
    const { code, stdout } = await runHere(["check", ...SERVER, "--markdown"]);
    expect(code).toBe(1);
    expect(stdout).toContain("### `shop.welcome`");
    expect(stdout).toContain("| severity | rule | where | what to change |");
    expect(stdout).toContain("| **MUST** | output-schema | `/outputSchema` |");
  });

  it("fails on findings alone that the baseline has not", async () => {
    const known = join(folder, "known.json");
    await writeFile(known, JSON.stringify(report));
    const same = await runHere(["check", ...SERVER, "--json", "--baseline", known]);
    expect(same.code).toBe(0);
    expect(JSON.parse(same.stdout).summary).toMatchObject({ new: 0, fixed: 0 });

    const findings = report.findings.filter(({ severity }) => severity !== "must").slice(1);
    const older = join(folder, "older.json");
    await writeFile(older, JSON.stringify({ findings }));
    const more = await runHere(["check", ...SERVER, "--baseline", older]);
    expect(more.code).toBe(1);
    expect(more.stdout).toContain("Against the baseline:");
    expect(more.stdout).toContain("(in the baseline)");
  });

  it.each([
    ["is not there", undefined],
    ["is no JSON", "nonsense"],
    ["is something else", '{"findings": [1]}'],
  ])("counts a baseline that %s as misuse", async (_what, text) => {
    const file = join(folder, "bad.json");
    if (text !== undefined) await writeFile(file, text);
    const { code, stderr } = await runHere(["check", ...SERVER, "--baseline", file]);
    expect(code).toBe(2);
    expect(stderr).toContain("--baseline");
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
  it("calls read-only tools alone and reports outputs that break their schema", async () => {
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
    expect(called[0].valid).toEqual({ calls: 1, asExpected: 1, errors: 0 });
    expect(called[0].borderline.calls).toBeGreaterThan(3);
    expect(called[0].invalid.calls).toBe(5);
    expect(exercises).toContainEqual(
      expect.objectContaining({
        tool: "open_account",
        skipped: "it does not say that it is read-only; --yes calls it all the same",
      }),
    );
  });

  it("calls every tool with --yes, and lets none take longer than --timeout", async () => {
    const flags = ["--exercise", "--yes", "--timeout", "4000"];
    const server = await startHttpProcess();
    const { stdout } = await runHere(["check", "--server", `shop=${server}`, ...flags]);
    expect(stdout).toContain("shop.refuse: valid 1/1 (1 isError)");
    expect(stdout).toMatch(/SHOULD timeout valid\n.*shop\.wait got no answer in time/);
    expect(stdout).toContain("shop.escape: not called, its server was lost when crash was called");
    expect(stdout.match(/MUST connection/g)).toHaveLength(1);
  });
});
