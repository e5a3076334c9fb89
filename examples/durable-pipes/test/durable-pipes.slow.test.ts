import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it, onTestFinished, vi } from "vitest";
import { noPostgres, startPostgres } from "../../../packages/langgraph/test/start-postgres.ts";
import { SPEC } from "../src/spec.ts";
import { CLI } from "../src/start-dev-server.ts";

const run = promisify(execFile);

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "durable-pipes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What an example prints, run in a folder of its own. Rejects unless it exits with 0. */
async function outputOf(file: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const { DATABASE_URL: _, OPENAI_API_KEY: __, ...own } = process.env;
  const options = { cwd: openFolder(), env: { ...own, ...env } };
  const { stdout } = await run(process.execPath, ["--conditions=@toolrail/source", path], options);
  return stdout;
}

const TAKEN_UP = `first process: waits for a person: initiate_human_handoff
two more processes at once: one ticket true
`;

/** Two processes end at once, in whichever order. */
const inOrder = (output: string) => output.split("\n").slice(1).toSorted().join("\n");

it("Two processes continue a pipe at once on the embedded Postgres, and it makes its call once.", async () => {
  expect(inOrder(await outputOf("main.ts"))).toBe(TAKEN_UP.split("\n").toSorted().join("\n"));
});

it.skipIf(noPostgres)("A real Postgres gives the same result.", async () => {
  const db = await startPostgres();
  onTestFinished(() => db.stop());
  const output = await outputOf("main.ts", { DATABASE_URL: db.connectionString });
  expect(output).toContain("the Postgres of DATABASE_URL");
  expect(inOrder(output)).toBe(TAKEN_UP.split("\n").toSorted().join("\n"));
});

it("The graph that takes a spec refuses an invalid one with all its problems, and runs a valid one until a person is needed.", async () => {
  vi.stubEnv("STORE_FOLDER", openFolder());
  vi.stubEnv("DATABASE_URL", undefined);
  vi.stubEnv("OPENAI_API_KEY", undefined);
  const { graph } = await import("../src/graphs/spec.ts");
  graph.checkpointer = new MemorySaver();
  const config = (thread_id: string) => ({ configurable: { thread_id } });
  const wrong = {
    steps: [
      { id: "a", tool: "no_such_tool" },
      { id: "a", tool: "list_accounts" },
    ],
  };
  const refused = await graph.invoke({ spec: wrong }, config("wrong"));
  expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("invalid") });
  expect(refused.problems?.length).toBeGreaterThan(0);
  const asked = await graph.invoke({ spec: SPEC, vars: { urgency: "high" } }, config("stored"));
  expect(asked).toHaveProperty("__interrupt__");
  const resume = { decisions: [{ type: "approve" }] };
  const ended = await graph.invoke(new Command({ resume }), config("stored"));
  expect(ended).toMatchObject({
    ok: true,
    result: { account: "High Yield Savings", ticket: expect.stringMatching(/^T-\d+$/) },
  });
});

const NOT_INSTALLED = "npm run served installs the development server: see README.md.";

it("The graphs run on LangGraph's development server.", { timeout: 300_000 }, async ({ skip }) => {
  skip(!existsSync(CLI), NOT_INSTALLED);
  const output = await outputOf("served.ts", { PORT: "7829" });
  expect(output.match(/waits for a person: initiate_human_handoff/g)).toHaveLength(2);
  expect(output.match(/ok true/g)).toHaveLength(2);
  expect(output).toContain("Your ticket is T-");
  expect(output).toContain('There is no tool "no_such_tool"');
});
