import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import helloPipe from "./fixtures/hello-pipe.json" with { type: "json" };
import { runCli, runJson } from "./run-cli.ts";

// Servers that others wrote, from npm, tried as a new user would.
const require = createRequire(import.meta.url);
const program = (manifest: string) => join(manifest, "../dist/index.js");
const everything = program(require.resolve("@modelcontextprotocol/server-everything/package.json"));
const filesystem = program(require.resolve("@modelcontextprotocol/server-filesystem/package.json"));
const memoryServer = program(require.resolve("@modelcontextprotocol/server-memory/package.json"));

const EVERYTHING = ["--server", `everything="${process.execPath}" "${everything}"`];
let files: string[];
let memory: string[];
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "toolrail-")));
  await mkdir(join(folder, "docs"));
  await writeFile(join(folder, "docs", "hello.md"), "# Hello\n");
  files = ["--server", `files="${process.execPath}" "${filesystem}" "${folder}"`];
  const config = {
    mcpServers: {
      memory: {
        command: process.execPath,
        args: [memoryServer],
        env: { MEMORY_FILE_PATH: join(folder, "memory.json") },
      },
    },
  };
  await writeFile(join(folder, "mcp.json"), JSON.stringify(config));
  memory = ["--config", join(folder, "mcp.json")];
});

describe("server-everything", () => {
  it("server-everything lists its tools.", async () => {
    const { code, stdout } = await runCli(["tools", ...EVERYTHING]);
    expect(code).toBe(0);
    expect(stdout).toContain("everything 12 tools");
    expect(stdout).toContain("get-structured-content(location) [typed result]");
  });

  it("server-everything answers a call with typed content.", async () => {
    const args = ["call", "get-structured-content", '{"location":"New York"}', ...EVERYTHING];
    const { code, document } = await runJson(args);
    expect(code).toBe(0);
    expect(document).toMatchObject({ ended: "complete", hops: [{ output: { status: "valid" } }] });
  });

  it("server-everything has its audience annotations honoured.", async () => {
    const args = [
      "call",
      "get-annotated-message",
      '{"messageType":"success","includeImage":true}',
      ...EVERYTHING,
    ];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(0);
    const [, model, user] = stdout.split(/The model reads|The user is shown/);
    expect(model).not.toContain("[image");
    expect(user).toContain("Operation completed successfully");
    expect(user).toContain("[image, image/png]");
  });

  it("server-everything breaks its contract in tools without an output schema.", async () => {
    const { code, document } = await runJson(["check", "--profile", "contract", ...EVERYTHING]);
    expect(code).toBe(1);
    const { findings } = document as { findings: { tool: string; rule: string }[] };
    const untyped = findings.filter(({ rule }) => rule === "output-schema");
    expect(untyped).toHaveLength(11);
    expect(untyped.map(({ tool }) => tool)).not.toContain("get-structured-content");
  });
});

describe("server-filesystem", () => {
  it("server-filesystem keeps its contract.", async () => {
    const { code, document } = await runJson(["check", ...files]);
    expect(code).toBe(0);
    expect(document).toMatchObject({ summary: { tools: 14, must: 0 } });
  });

  it("server-filesystem shows where a call went wrong.", async () => {
    const args = ["call", "read_text_file", '{"path":"/etc/passwd"}', ...files];
    const { code, stdout } = await runCli(args);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✖ files\.read_text_file[\s\S]*Access denied/);
  });
});

describe("a pipe across server-filesystem and server-memory", () => {
  it("A pipe across server-filesystem and server-memory runs, and what it wrote is there.", async () => {
    const run = {
      stdin: JSON.stringify({ ...helloPipe, vars: { ...helloPipe.vars, root: folder } }),
    };
    const { code, document } = await runJson(["pipe", "-", ...files, ...memory], run);
    expect(code).toBe(0);
    expect(document).toMatchObject({ ok: true, result: "# Hello\n" });
    const { stdout } = await runCli(["call", "memory.read_graph", ...memory]);
    expect(stdout).toContain("docs/hello.md");
  });
});
