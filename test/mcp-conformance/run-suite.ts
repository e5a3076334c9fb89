import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import type { Revision } from "./clients.ts";
import type { Scenario } from "./drive.ts";

/** What the suite says of one point of a scenario. */
export interface Verdict {
  readonly id: string;
  readonly name: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

const require = createRequire(import.meta.url);
const MANIFEST = require.resolve("@modelcontextprotocol/conformance/package.json");
const SUITE = join(dirname(MANIFEST), "dist/index.js");
const PASS_ON = join(import.meta.dirname, "pass-on.mjs");

/**
 * Runs all scenarios of a revision but those of authorization through a driver in this process. Returns their
 * verdicts by scenario.
 */
export async function runSuite(
  revision: Revision,
  driver: (scenario: Scenario) => Promise<void>,
): Promise<Map<string, readonly Verdict[]>> {
  const server = createServer(async (request, response) => {
    const scenario = (await json(request)) as Scenario;
    await driver(scenario).catch(() => {}); // Whatever it means, the suite sees it in what was sent.
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), "mcp-conformance-"));
  const command = `${process.execPath} ${PASS_ON} http://127.0.0.1:${port}`;
  const options = ["--suite", "all", "--spec-version", revision, "--output-dir", folder];
  const run = [SUITE, "client", "--command", command, "--timeout", "15000", ...options];
  // It exits with 1, as the scenarios of authorization fail.
  await promisify(execFile)(process.execPath, run, { maxBuffer: 1e8 }).catch(() => {});
  const verdicts = await readVerdicts(folder);
  server.close();
  await rm(folder, { recursive: true });
  return verdicts;
}

async function readVerdicts(folder: string): Promise<Map<string, readonly Verdict[]>> {
  const found = new Map<string, readonly Verdict[]>();
  const runs = (await readdir(folder, { recursive: true }))
    .filter((path) => path.endsWith("checks.json") && !path.startsWith("auth"))
    .sort();
  for (const path of runs) {
    const scenario = path.replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");
    found.set(scenario, JSON.parse(await readFile(join(folder, path), "utf8")));
  }
  return found;
}
