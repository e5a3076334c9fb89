import { expect, it } from "vitest";
import { ASKING, typing } from "./on-terminal.ts";
import { runHere, runHereJson } from "./run-here.ts";
import { writeTemporary } from "./write-temporary.ts";

const TIDY = ["call", "tidy", ...ASKING];
const SPEC = { steps: [{ id: "s", tool: "bank.wipe", args: {} }], return: "s" };
const PIPE = ["pipe", writeTemporary("pipe.json", SPEC), ...ASKING];
const PLAN = { type: "call_tool", tool: "bank.wipe", arguments: {} };
const GUARD = ["guard", JSON.stringify(PLAN), "--allow", "bank.wipe", ...ASKING];

it("A destructive call that a result asks for is asked about on the terminal, and made after a yes.", async () => {
  const { code, seen, document } = await typing(["y"], TIDY);
  expect(seen).toContain(
    "bank.wipe needs a person's approval before it is called: its server says",
  );
  expect(document.hops.map(({ tool }: { tool: string }) => tool)).toEqual(["tidy", "wipe"]);
  expect(code).toBe(0);
});

it("What is asked about shows characters that would turn or hide a line as codes.", async () => {
  const spec = { steps: [{ id: "s", tool: "bank.wipe", args: { note: "a\u202eb\u009b2J" } }] };
  const { seen } = await typing(["n"], ["pipe", writeTemporary("turned.json", spec), ...ASKING]);
  expect(seen).toContain("a\\u202eb");
  expect(seen).not.toMatch(/[\u202e\u009b]/);
});

it("It is made with other arguments if these are typed, and an answer that is no JSON denies it.", async () => {
  const { code, document } = await typing(['{"all":true}'], TIDY);
  expect(document.hops[1]).toMatchObject({ arguments: { all: true }, changedFrom: {} });
  expect(code).toBe(0);
  expect((await typing(['{"all":'], TIDY)).document).toMatchObject({ ended: "denied" });
});

it.each([["no"], [""], [undefined]])("It is not made after any other answer: %j.", async (line) => {
  const { code, document } = await typing([line], TIDY);
  expect(document).toMatchObject({ ended: "denied", hops: [{ tool: "tidy" }] });
  expect(code).toBe(1);
});

it("The question leaves the terminal as it is, so that Ctrl-C ends the command and not the question alone.", async () => {
  expect((await typing(["n"], TIDY)).isRaw).toBe(false);
});

it("Without a terminal it is not made, and the command says where it can be.", async () => {
  const { code, stdout } = await runHere(TIDY);
  expect(code).toBe(1);
  expect(stdout).toContain("bank.wipe needs a person's approval");
  expect(stdout).toContain("Run it in a terminal to approve it.");
});

it("The tool that a person names on the command line is called without asking.", async () => {
  const { code, document } = await runHereJson(["call", "wipe", ...ASKING]);
  expect(document).toMatchObject({ ended: "complete" });
  expect(code).toBe(0);
});

it.each([
  ["A step of a pipe", PIPE],
  ["A guarded plan", GUARD],
])("%s is asked about as well, and without a terminal not made.", async (_, args) => {
  expect((await typing(["y"], args)).code).toBe(0);
  expect((await typing(["n"], args)).code).toBe(1);
  const { code, stdout } = await runHere(args);
  expect(code).toBe(1);
  expect(stdout).toContain("needs a person's approval");
});
