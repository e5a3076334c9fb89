import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { checkNode } from "../src/check-node.ts";

it("The command says in one sentence that a Node is too old.", () => {
  expect(checkNode("20.20.2")).toBe(
    "toolrail needs Node 22.12 or newer, and this is Node 20.20.2.",
  );
  expect(checkNode("22.11.0")).toContain("needs Node 22.12");
  for (const version of ["22.12.0", "24.0.0", "26.10.0"])
    expect(checkNode(version)).toBeUndefined();
});

it("The oldest Node of the command is that of its package.", () => {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { node } = JSON.parse(manifest).engines;
  expect(checkNode("18.0.0")).toContain(`needs Node ${node.replace(">=", "")} or newer`);
});
