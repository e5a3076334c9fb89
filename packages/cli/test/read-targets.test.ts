import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readTargets } from "../src/server-targets.ts";

/** Reads a server whose command is this text, with this environment. */
function readCommand(command: string, env: NodeJS.ProcessEnv) {
  const folder = mkdtempSync(join(tmpdir(), "toolrail-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = join(folder, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { shop: { command } } }));
  return readTargets({ config }, env);
}

describe("a variable in a file of servers", () => {
  it("is what the environment says, even if the file has a default.", async () => {
    const targets = await readCommand(`\${SHOP:-none}`, { SHOP: "till" });
    expect(targets).toMatchObject([{ name: "shop", command: "till" }]);
  });

  it("is its default if the environment does not have it.", async () => {
    expect(await readCommand(`\${SHOP:-none}`, {})).toMatchObject([{ command: "none" }]);
  });

  it("is named in the error if there is neither.", async () => {
    await expect(readCommand(`\${SHOP}`, {})).rejects.toThrow(/variable SHOP is not set/);
  });
});
