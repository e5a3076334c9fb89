import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { quote } from "shell-quote";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseServer, readTargets, splitCommand } from "../src/servers.ts";

const split = (text: string) => splitCommand(text, "here");

describe("splitCommand", () => {
  it.each<[string, string[]]>([
    ["npx -y some-server .", ["npx", "-y", "some-server", "."]],
    [`node 'my server.js' "a b"`, ["node", "my server.js", "a b"]],
    ["node my\\ server.js", ["node", "my server.js"]],
    [`a --json='{"b": 1}'`, ["a", '--json={"b": 1}']],
    ["a 'it'\\''s'", ["a", "it's"]],
    ["ls *.md $HOME", ["ls", "*.md", "$HOME"]],
    ["", []],
  ])("splitCommand splits %j.", (text, words) => expect(split(text)).toEqual(words));

  it("splitCommand gives back any words that were quoted for a shell.", () => {
    const word = fc.string({ unit: fc.constantFrom(...`ab '"\\|&;<>()*?~=-`), minLength: 1 });
    void fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(split(quote(words))).toEqual(words);
      }),
    );
  });

  it.each(["a | b", "a > b", "a && b", "a; b", "a & b", "(a)"])("refuses %j", (text) => {
    expect(() => split(text)).toThrow(/started without a shell/);
  });
});

describe("parseServer", () => {
  it("parseServer tells a URL from a command, and keeps what follows the first =.", () => {
    expect(parseServer("a=HTTPS://b.test/c?d=e")).toMatchObject({
      url: "HTTPS://b.test/c?d=e",
    });
    expect(parseServer("a=env X=1 node b.js")).toMatchObject({
      command: "env",
      args: ["X=1", "node", "b.js"],
    });
  });
});

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
    await expect(readCommand(`\${SHOP}`, {})).rejects.toThrow(/variable SHOP, which is not set/);
  });
});
