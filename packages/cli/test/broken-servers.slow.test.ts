import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { program, WELCOME } from "./program.ts";
import { runHere } from "./run-here.ts";

describe("a program", () => {
  it("A program that refuses the connection is reported in its own words, and not as ended.", async () => {
    const server = program(`send({ id, error: { code: -32603, message: "No licence" } });`);
    const { code, stderr } = await runHere(["tools", ...server]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/ cannot be connected: No licence\.\n$/);
  });

  it("A program that ends while its tools are listed is reported with its stderr.", async () => {
    const end = `if (method === "tools/list") { console.error("No disk"); process.exit(4); }`;
    const { code, stderr } = await runHere(["tools", ...program(`${WELCOME} ${end}`)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Listing the tools of server "a" failed: .*Connection closed/);
    expect(stderr).toContain('Server "a" wrote to its stderr:\n  No disk');
  });

  it("A program that sends a line without end is given up.", async () => {
    const endless = `process.stdout.write("z".repeat(11_000_000));`;
    const { code, stderr } = await runHere(["tools", ...program(endless)]);
    expect(code).toBe(1);
    expect(stderr).toContain("cannot be connected: Connection closed");
  });

  it("A server's error looks like no line of the command itself.", async () => {
    const server = program(
      `send({ id, error: { code: 1, message: "No\\ntoolrail: all is well" } });`,
    );
    const { stderr } = await runHere(["tools", ...server]);
    expect(stderr).toContain("No\n  toolrail: all is well");
  });

  it("The name of a tool stays in one line.", async () => {
    const tool = `{ name: "a\\n✔ safe", inputSchema: { type: "object" } }`;
    const server = program(
      `${WELCOME} if (method === "tools/list") send({ id, result: { tools: [${tool}] } });`,
    );
    const { stdout } = await runHere(["tools", ...server]);
    expect(stdout).toContain("└─ a\\n✔ safe()");
    const { stdout: report } = await runHere(["check", ...server]);
    expect(report).not.toMatch(/^✔ safe/m);
  });

  it("With --json, what a terminal would obey is printed as a code, and reads as what it was.", async () => {
    const description = "a\u009b2Jb\u202ec\u007f\u{e0041}\\u{e0042}";
    const tools = [{ name: "a", description, inputSchema: { type: "object" } }];
    const server = program(
      `${WELCOME} if (method === "tools/list") send({ id, result: ${JSON.stringify({ tools })} });`,
    );
    const { stdout } = await runHere(["tools", "--json", ...server]);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e|\u{e0041}/u);
    expect(JSON.parse(stdout)).toMatchObject([{ description }]);
  });

  it("Neither the stderr of a program nor its errors move the cursor.", async () => {
    const server = program(
      `console.error("a\\u001b[2Jb"); send({ id, error: { code: 1, message: "c\\u001b[2Jd" } });`,
    );
    const { stderr } = await runHere(["tools", ...server]);
    expect(stderr).toMatch(/\n {2}a\\u001b\[2Jb$/m);
    expect(stderr).not.toContain("\u001b");
  });

  it("A program that announces another list at the end is shown with the list that was read.", async () => {
    const tools = `{ tools: [{ name: "good", inputSchema: { type: "object" } }] }`;
    const server = program(
      `${WELCOME.replace("result: welcome", "result: { ...welcome, capabilities: { tools: { listChanged: true } } }")}
      if (method === "tools/list" && !globalThis.isListed) {
        globalThis.isListed = send({ id, result: ${tools} });
        send({ method: "notifications/tools/list_changed" });
      }`,
    );
    const { code, stdout } = await runHere(["tools", ...server]);
    expect([code, stdout]).toEqual([0, "a 1 tools\n└─ good()\n"]);
  });

  it("A program without tools is listed.", async () => {
    const server = program(
      `${WELCOME} if (method === "tools/list") send({ id, result: { tools: [] } });`,
    );
    const { code, stdout } = await runHere(["tools", ...server]);
    expect([code, stdout]).toEqual([0, "a 0 tools\n"]);
    expect((await runHere(["check", ...server])).stdout).toContain("0 tools of 1 server");
  });
});

describe("an address", () => {
  let http: ReturnType<typeof createServer> | undefined;
  afterEach(() => http?.close());

  it.each<[string, number, string, RegExp]>([
    ["refuses access", 401, "", /"a" refused access \(401\)\. Send credentials with --header/],
    ["fails", 500, "<p>Out of order</p>", /it answered 500 \(<p>Out of order<\/p>\)\.\n$/],
    ["answers JSON that is not a message", 200, "{}", /its answer is not an MCP message/],
    ["answers what is not JSON", 200, "{", /its answer is not an MCP message/],
  ])("An address that %s is reported in one line.", async (_what, status, body, message) => {
    http = createServer((_request, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((resolve) => http?.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    const { code, stderr } = await runHere(["tools", "--server", `a=http://127.0.0.1:${port}`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  it("An address that hangs up is reported with the cause and not as a failed fetch.", async () => {
    http = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => http?.listen(0, "127.0.0.1", resolve));
    const { port } = http.address() as AddressInfo;
    const { stderr } = await runHere(["tools", "--server", `a=http://127.0.0.1:${port}`]);
    expect(stderr).toMatch(/cannot be connected: (?!fetch failed)/);
  });
});
