import { createRequire } from "node:module";
import { expect, it, vi } from "vitest";
import { aPipe, aRule } from "./pillars-langgraph.ts";

const require = createRequire(import.meta.url);

it("The rule and the pipe of the README read the file that a server from npm has found.", async () => {
  // It is installed here, and so `npx` downloads none.
  expect(require.resolve("@modelcontextprotocol/server-filesystem/package.json")).toBeTruthy();
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const hops = await aRule();
  expect(hops.map(({ tool }) => tool)).toEqual(["search_files", "read_text_file"]);
  expect(JSON.stringify(hops[1]?.result)).toContain("toolrail");
  const { ok, error, result } = await aPipe();
  log.mockRestore();
  expect({ ok, error }).toEqual({ ok: true, error: "" });
  expect(result).toContain("toolrail");
});
