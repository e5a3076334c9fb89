import { describe, expect, it } from "vitest";
import { runHere } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";
import { writeTemporary } from "./write-temporary.ts";

const SERVER = serveShop();

const policyFile = (policies: unknown) => ["--policy", writeTemporary("policy.json", policies)];

const POLICIES = {
  askUnlessFrom: {
    from: ["user"],
    to: { "shop.open_account": ["name"] },
    names: { "shop.add": "a sum" },
  },
  denyWhenFrom: { from: ["shop.open_account"], to: { "shop.welcome": "*" } },
};

const spec = (name: unknown) =>
  JSON.stringify({
    vars: { name: "" },
    steps: [
      { id: "sum", tool: "add", args: { a: 1, b: 2 } },
      { id: "open", tool: "open_account", args: { name } },
    ],
  });

describe("toolrail --policy", () => {
  it.each(["core", "langgraph"])(
    "stops a pipe if a target came from a result, and says from which (%s).",
    async (engine) => {
      const policy = policyFile({ askUnlessFrom: POLICIES.askUnlessFrom });
      const flags = [...SERVER, ...policy, "--engine", engine];
      const fromSum = spec({ $ref: "steps.sum.structured.sum" });
      const stopped = await runHere(["pipe", "-", ...flags], fromSum);
      expect(stopped).toMatchObject({ code: 1 });
      expect(stopped.stdout).toContain("the name came from a sum (shop.add)");
      const vars = ["--vars", '{"name":"Ada Byron"}'];
      const fromUser = spec({ $ref: "vars.name" });
      expect(await runHere(["pipe", "-", ...flags, ...vars], fromUser)).toMatchObject({ code: 0 });
    },
  );

  it("refuses a hop whose arguments came from where they may not.", async () => {
    const flags = [...SERVER, ...policyFile(POLICIES)];
    const { code, stdout } = await runHere(["call", "open_account", "{}", ...flags]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      "the arguments came from shop.open_account, and may not be sent there",
    );
  });

  it.each([
    ["a file without any policy", {}, /names no policy; use one of: askUnlessFrom/],
    ["an unknown policy", { askAlways: {} }, /names "askAlways"; use one of: askUnlessFrom/],
    ["a policy without targets", { askWhenFrom: { from: ["a"] } }, /to/],
    ["a policy without sources", { askWhenFrom: { to: {} } }, /list of patterns/],
  ])("Exits with 2 for %s.", async (_, policies, message) => {
    const { code, stderr } = await runHere(["call", "add", ...SERVER, ...policyFile(policies)]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
