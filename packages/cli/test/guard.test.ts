import { describe, expect, it } from "vitest";
import { program, WELCOME } from "./program.ts";
import { runHere } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";

const SERVER = serveShop();
const SUM = { type: "call_tool", tool: "shop.add", arguments: { a: 1, b: 2 } };

async function guard(plan: unknown, ...flags: string[]) {
  const text = typeof plan === "string" ? plan : JSON.stringify(plan);
  const { code, stdout } = await runHere(["guard", "-", ...SERVER, "--json", ...flags], text);
  return { code, document: JSON.parse(stdout) };
}

describe("toolrail guard", () => {
  it("toolrail guard makes the one call of an allowed plan and exits with 0.", async () => {
    const { code, document } = await guard(SUM, "--allow", "shop.welcome,shop.add");
    expect(code).toBe(0);
    expect(document).toEqual({
      verdict: "allow",
      code: "complete",
      message: expect.any(String),
      result: expect.objectContaining({ structuredContent: { sum: 3 } }),
    });
  });

  it("toolrail guard says which name of --allow no server lists.", async () => {
    const { code, stderr } = await runHere([
      "guard",
      JSON.stringify(SUM),
      ...SERVER,
      "--allow",
      "shop.ad",
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'names "shop.ad", but no server lists such a tool. Did you mean "shop.add"?',
    );
  });

  it("toolrail guard takes a plan inline.", async () => {
    const plan = JSON.stringify(SUM);
    const { code, stdout } = await runHere(["guard", plan, ...SERVER, "--allow", "shop.add"]);
    expect(code).toBe(0);
    expect(stdout).toContain("3");
  });

  it("toolrail guard does not follow the next tool of the result.", async () => {
    const tools = `["first", "second"].map((name) => ({ name, inputSchema: { type: "object" },
      outputSchema: { type: "object", properties: { n: { type: "number" } } } }))`;
    const result = `{ content: [], structuredContent: { n: 1 }, _meta: { nextTool: { tool: "second" } } }`;
    const server = program(`${WELCOME}
      if (method === "tools/list") send({ id, result: { tools: ${tools} } });
      if (method === "tools/call") send({ id, result: ${result} });`);
    const plan = JSON.stringify({ type: "call_tool", tool: "a.first", arguments: {} });
    const { code, stdout } = await runHere(["guard", "-", ...server, "--allow", "a.*"], plan);
    expect(code).toBe(0);
    expect(stdout).toContain("asks for a.second: a guarded query makes one call");
  });

  it("toolrail guard blocks a tool that does not describe its result.", async () => {
    const plan = { type: "call_tool", tool: "shop.open_account", arguments: {} };
    const { code, document } = await guard(plan, "--allow", "shop.*");
    expect(code).toBe(1);
    expect(document).toMatchObject({ verdict: "block" });
    expect(document.result).toBeUndefined();
  });

  it.each([
    ["breaks its schema", `structuredContent: { n: "one" }`, "untyped-output"],
    ["is an error", `structuredContent: { n: 1 }, isError: true`, "tool-error"],
  ])("toolrail guard blocks a result that %s, shows it, and exits with 1.", async (...row) => {
    const [, fields, reason] = row;
    const tools = `[{ name: "read", inputSchema: { type: "object" },
      outputSchema: { type: "object", properties: { n: { type: "number" } } } }]`;
    const server = program(`${WELCOME}
      if (method === "tools/list") send({ id, result: { tools: ${tools} } });
      if (method === "tools/call") send({ id, result: { content: [], ${fields} } });`);
    const plan = JSON.stringify({ type: "call_tool", tool: "a.read", arguments: {} });
    const command = ["guard", "-", ...server, "--allow", "a.*"];
    const { code, stdout } = await runHere([...command, "--json"], plan);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "block", code: reason });
    expect(JSON.parse(stdout).result.structuredContent).toHaveProperty("n");
    expect((await runHere(command, plan)).stdout).toContain("✖ block");
  });

  it("toolrail guard allows a plan that asks for more information, and calls nothing.", async () => {
    const plan = { type: "final_answer", needs_more_info: true, answer: "Which account?" };
    const { code, document } = await guard(plan, "--allow", "shop.add");
    expect(code).toBe(0);
    expect(document).toEqual({
      verdict: "allow",
      code: "needs-more-info",
      message: "Which account?",
    });
  });

  it.each<[string, unknown, string[], string]>([
    ["a tool that is not on the list", SUM, ["--allow", "shop.welcome"], "not-allowed"],
    ["every tool without a list", SUM, [], "not-allowed"],
    ["every tool with an empty list", SUM, ["--allow", ","], "not-allowed"],
    [
      "arguments that break the schema",
      { ...SUM, arguments: { a: 1 } },
      ["--allow", "shop.add"],
      "invalid-arguments",
    ],
    ["an unknown tool", { ...SUM, tool: "nope" }, ["--allow", "shop.add"], "unknown-tool"],
  ])("toolrail guard blocks %s and exits with 1.", async (_what, plan, flags, reason) => {
    const { code, document } = await guard(plan, ...flags);
    expect(code).toBe(1);
    expect(document).toEqual({ verdict: "block", code: reason, message: expect.any(String) });
  });

  it.each<[string, string]>([
    ["text around the plan", `Sure! ${JSON.stringify(SUM)}`],
    ["an unknown key", JSON.stringify({ ...SUM, next: "more" })],
  ])("toolrail guard refuses %s before any server is asked.", async (_what, plan) => {
    const dead = ["--server", "dead=never-started", "--allow", "*", "--json"];
    const { code, stdout } = await runHere(["guard", "-", ...dead], plan);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "invalid-arguments" } });
  });

  it("toolrail guard counts a plan that is not there as misuse.", async () => {
    const { code, stdout } = await runHere(["guard", "/no/plan", ...SERVER, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "usage" } });
  });
});
