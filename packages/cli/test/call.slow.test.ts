import { describe, expect, it } from "vitest";
import { runCli, runJson } from "./run-cli.ts";
import { runHere, runHereJson } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";
import { timeless } from "./timeless.ts";

const SERVER = serveShop();

describe("toolrail tools", () => {
  it("toolrail tools lists the tools by server for people.", async () => {
    const { code, stdout, stderr } = await runCli(["tools", ...SERVER]);
    expect(code).toBe(0);
    expect(stdout).toContain("shop 10 tools");
    expect(stdout).toContain("add(a, b) [typed result]");
    expect(stderr).toBe("");
  });

  it("toolrail tools prints a list of tools for scripts.", async () => {
    const { code, document } = await runJson(["tools", ...SERVER]);
    expect(code).toBe(0);
    expect(document).toContainEqual(
      expect.objectContaining({ server: "shop", name: "add", id: "shop.add", modelName: "add" }),
    );
  });

  it("toolrail tools lists the servers that answer, names the others, and exits with 1.", async () => {
    const dead = ["--server", `dead="${process.execPath}" -e 'process.exit(3)'`];
    const { code, document, stderr } = await runHereJson(["tools", ...SERVER, ...dead]);
    expect(code).toBe(1);
    expect(document).toHaveLength(10);
    expect(stderr).toContain('"dead"');
  });

  it("toolrail tools writes no escape sequence of a server to the terminal.", async () => {
    const { stdout } = await runHere(["tools", ...SERVER]);
    expect(stdout).toContain("Writes \\u001b[31mred\\u001b[0m and turns \\u202etext\\u202c.");
    expect(stdout).not.toContain("\u001b");
  });
});

describe("toolrail call", () => {
  it("toolrail call prints the chain result of one call.", async () => {
    const { code, document } = await runJson(["call", "shop.add", '{"a":1,"b":2}', ...SERVER]);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      ended: "complete",
      hops: [
        {
          server: "shop",
          tool: "add",
          arguments: { a: 1, b: 2 },
          result: { structuredContent: { sum: 3 } },
          output: { status: "valid", value: { sum: 3 } },
        },
      ],
    });
  });

  it("toolrail call follows the next tool and sets apart what the model reads and what the user is shown.", async () => {
    const { code, stdout } = await runCli(["call", "open_account", '{"name":"Ada"}', ...SERVER]);
    expect(code).toBe(0);
    expect(timeless(stdout)).toBe(`✔ shop.open_account N ms
│  {"name":"Ada"}
└─ ✔ shop.welcome N ms
      {"name":"Ada"}

complete 2 calls, N ms

The model reads
  open_account:
  The account is open.
  Then welcome was called:
  The result was shown to the user.

The user is shown
  The account is open.
  Welcome, Ada!
`);
  });

  it("toolrail call exits with 1 if the last result is an error.", async () => {
    const { code, document } = await runHereJson(["call", "refuse", ...SERVER]);
    expect(code).toBe(1);
    expect(document).toMatchObject({ ended: "complete", hops: [{ result: { isError: true } }] });
    const people = await runHere(["call", "refuse", ...SERVER]);
    expect(people.stdout).toContain("✖ shop.refuse");
    expect(people.stdout).toContain("The till is closed.");
  });

  it.each([
    ["an unknown tool", ["nope"], "unknown-tool"],
    ["a tool of an unknown server", ["bank.add"], "unknown-tool"],
    ["arguments that break the schema", ["add", '{"a":1}'], "invalid-arguments"],
  ])(
    "toolrail call refuses %s: no hops, the reason in `ended`, exit code 1.",
    async (_what, args, ended) => {
      const { code, document } = await runHereJson(["call", ...args, ...SERVER]);
      expect(code).toBe(1);
      expect(document).toMatchObject({ ended, hops: [], error: { message: expect.any(String) } });
    },
  );

  it("toolrail call reads the arguments from standard input for -.", async () => {
    const args = ["call", "add", "-", ...SERVER];
    const { code, document } = await runHereJson(args, '{"a":20,"b":22}');
    expect(code).toBe(0);
    expect(document).toMatchObject({ hops: [{ result: { structuredContent: { sum: 42 } } }] });
  });

  it("toolrail call ends a call that takes longer than --timeout.", async () => {
    const { code, document } = await runHereJson(["call", "wait", ...SERVER, "--timeout", "3000"]);
    expect(code).toBe(1);
    expect(document).toMatchObject({
      ended: "failed",
      hops: [],
      error: { code: "outcome-unknown" },
    });
  });

  it("toolrail call fails if a result breaks its schema, and says once at which place.", async () => {
    const { code, stdout } = await runHere(["call", "wrong", ...SERVER]);
    expect(code).toBe(1);
    expect(stdout.match(/violates its outputSchema: \/sum must be number/g)).toHaveLength(1);
  });
});
