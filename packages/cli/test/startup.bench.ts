import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "vitest";

// The built command, as it is installed: `pnpm run build` first.
const BIN = join(import.meta.dirname, "../dist/bin.js");
const SDK = createRequire(import.meta.url).resolve("@modelcontextprotocol/sdk/client/index.js");

function run(...args: string[]): void {
  try {
    execFileSync(process.execPath, args, { stdio: "ignore" });
  } catch {
    // Misuse ends with 2, which is what is measured.
  }
}

describe.skipIf(!existsSync(BIN))("start-up", () => {
  /** Budget: no row takes more than 1.5 times as long as the first. */
  it("is about that of the SDK", async ({ bench }) => {
    const sdk = pathToFileURL(SDK).href.replace("/cjs/", "/esm/");
    const load = `await import(${JSON.stringify(sdk)})`;
    await bench.compare(
      bench("node and the SDK's client", () => run("--input-type=module", "-e", load)),
      bench("toolrail --help", () => run(BIN, "--help")),
      bench("toolrail call, up to the first server", () => run(BIN, "call", "a.b")),
      { iterations: 20, time: 0, warmupIterations: 2, warmupTime: 0 },
    );
  }, 300_000);
});
