import { expect, it } from "vitest";
import { ASKING } from "./on-terminal.ts";
import { runHereJson } from "./run-here.ts";

it.each([
  ["MCP 2026-07-28", ["--protocol", "2026-07-28"]],
  ["MCP 2025-11-25", []],
])("A server that asks the user on %s gets a clear error.", async (_, more) => {
  const { code, document, stderr } = await runHereJson(["call", "transfer", ...ASKING, ...more]);
  expect(code).toBe(1);
  expect(JSON.stringify(document) + stderr).toMatch(/asks the user|did not declare/);
});
