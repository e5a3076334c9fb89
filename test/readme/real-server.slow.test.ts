import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { aRule } from "./pillars-langgraph.ts";

const require = createRequire(import.meta.url);

it("The rule of the README reads the file that a server from npm has found.", async () => {
  // It is installed here, and so `npx` downloads none.
  expect(require.resolve("@modelcontextprotocol/server-filesystem/package.json")).toBeTruthy();
  const hops = await aRule();
  expect(hops.map(({ tool }) => tool)).toEqual(["search_files", "read_text_file"]);
  expect(JSON.stringify(hops[1]?.result)).toContain("# Rules");
});
