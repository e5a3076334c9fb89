import { describe, expect, it } from "vitest";
import { runHere } from "./run-here.ts";

describe("help", () => {
  it("lists all commands.", async () => {
    const { code, stdout } = await runHere(["--help"]);
    expect(code).toBe(0);
    for (const name of ["tools", "call", "pipe", "guard", "check"]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\w`, "m"));
    }
  });

  it.each([
    ["tools", ["--server", "--config", "--header", "--protocol", "--timeout"]],
    ["call", ["<tool> [args-json]", "the arguments, an object"]],
    ["pipe", ["<spec>", "--vars", "--engine"]],
    ["guard", ["<plan>", "--allow"]],
    ["check", ["--profile", "--json"]],
  ])("of %s names its arguments and options.", async (command, names) => {
    const { code, stdout } = await runHere([command, "--help"]);
    expect(code).toBe(0);
    for (const name of names) expect(stdout).toContain(name);
  });

  it("is not the answer to a wrong option beside it.", async () => {
    expect((await runHere(["tools", "--jsno", "--help"])).code).toBe(2);
  });

  it("is left out for the version.", async () => {
    expect((await runHere(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
