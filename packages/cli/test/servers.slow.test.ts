import { mkdtemp, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpFixture, startHttpServer } from "./fixtures/http-server.ts";
import { isRunning } from "./is-running.ts";
import { FIXTURE, runCli, runJson } from "./run-cli.ts";
import { runHere, runHereJson } from "./run-here.ts";
import { writeTemporary } from "./write-temporary.ts";

/** Below the ports that are given out: nothing else that runs here can come to listen at it. */
const NOBODY = "http://127.0.0.1:2/mcp";

let fixture: HttpFixture | undefined;
afterEach(() => fixture?.close());

describe("a server with a URL", () => {
  it("A server with a URL is called over Streamable HTTP with the headers given, and its session is ended.", async () => {
    fixture = await startHttpServer("streamable");
    const server = ["--server", `shop=${fixture.url}`, "--header", "X-Tenant: north"];
    const { code, document } = await runHereJson(["call", "shop.report", ...server]);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      hops: [{ result: { structuredContent: { headers: { "x-tenant": "north" } } } }],
    });
    expect(fixture.events.at(-1)).toBe("DELETE /mcp");
  });

  it("A server with a URL is called over HTTP with SSE if it does not speak Streamable HTTP.", async () => {
    fixture = await startHttpServer("sse");
    const server = ["--server", `shop=${fixture.url}`, "--header", "X-Tenant: north"];
    const { code, document } = await runHereJson(["call", "shop.report", ...server]);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      hops: [{ result: { structuredContent: { headers: { "x-tenant": "north" } } } }],
    });
    expect(fixture.events.slice(0, 2)).toEqual(["POST /sse", "GET /sse"]);
  });

  it("A server with a URL that speaks neither is reported with both answers.", async () => {
    fixture = await startHttpServer("sse");
    const { code, stderr } = await runHere(["tools", "--server", `a=${fixture.url}/elsewhere`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/speaks neither Streamable HTTP \(404\) nor HTTP with SSE \(404\)/);
  });

  it("A URL where nobody listens is reported in one line.", async () => {
    const args = ["call", "a.b", "--server", `a=${NOBODY}`];
    const people = await runHere(args);
    expect(people.code).toBe(1);
    expect(people.stderr).toMatch(
      /^toolrail: .*"a": http:\/\/127\.0\.0\.1:2\/mcp cannot be connected: .*ECONNREFUSED.*\.\n$/,
    );
    const { code, document } = await runHereJson(args);
    expect(code).toBe(1);
    expect(document).toMatchObject({ error: { code: "server-unavailable" } });
  });
});

describe("a server with a command", () => {
  it("A server with a command that ends at once is reported with its stderr.", async () => {
    const script = `console.error("No token in TOKEN."); process.exit(7)`;
    const server = `a="${process.execPath}" -e '${script}'`;
    const { code, stdout, stderr } = await runCli(["tools", "--server", server]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Connection closed. It wrote to its stderr:");
    expect(stderr).toContain("  No token in TOKEN.");
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it("A server with a command that ends during a call fails the call, and its stderr is shown.", async () => {
    const args = ["call", "crash", "--server", `shop=${FIXTURE}`];
    const { code, document, stderr } = await runHereJson(args);
    expect(code).toBe(1);
    expect(document).toMatchObject({
      ended: "failed",
      hops: [],
      error: { code: "outcome-unknown" },
    });
    expect(stderr).toMatch(/Server "shop" wrote to its stderr:\n[\s\S]* {2}out of cash\n$/);
  });

  it("A command that does not exist is reported.", async () => {
    const { code, stderr } = await runHere(["tools", "--server", "a=no-such-program-here"]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'the program "no-such-program-here" cannot be started: there is no such program',
    );
  });

  it("A server with a command that never answers is given up after --timeout.", async () => {
    const server = "a=sh -c 'echo listening >&2; cat >/dev/null'";
    const { code, stderr } = await runHere(["tools", "--server", server, "--timeout", "3000"]);
    expect(code).toBe(1);
    expect(stderr).toContain("No answer within 3000 ms");
    expect(stderr).toMatch(/stderr:\n {2}listening\n {2}Give it longer with --timeout\./);
  });

  it("The stderr of a program that works is not shown.", async () => {
    const args = ["tools", "--server", `shop=${FIXTURE}`];
    expect((await runHere(args)).stderr).toBe("");
  });
});

describe("a configuration in the shape of other clients", () => {
  it("A configuration gives servers their command, environment, URL and headers, with variables filled in.", async () => {
    fixture = await startHttpServer("streamable");
    const cwd = await mkdtemp(join(tmpdir(), "toolrail-"));
    const script = /"([^"]+stdio-server\.ts)"/.exec(FIXTURE)?.[1];
    const config = {
      mcpServers: {
        local: {
          command: process.execPath,
          args: ["--conditions=@toolrail/source", script],
          env: { FIXTURE_COLOUR: `\${COLOUR:-green}` },
        },
        remote: { type: "http", url: fixture.url, headers: { "X-Token": `\${TOKEN}` } },
        old: { command: "never-started", disabled: true },
      },
    };
    await writeFile(join(cwd, "mcp.json"), `\ufeff${JSON.stringify(config)}`); // As some editors write it.
    const call = (tool: string) =>
      runJson(["call", tool, "--config", "mcp.json"], { cwd, env: { TOKEN: "abc" } });
    const [local, remote] = await Promise.all([call("local.report"), call("remote.report")]);
    expect(local.document).toMatchObject({
      hops: [{ result: { structuredContent: { colour: "green" } } }],
    });
    expect(remote.document).toMatchObject({
      hops: [{ result: { structuredContent: { headers: { "x-token": "abc" } } } }],
    });
  });
});

describe("a server of a configuration", () => {
  it("--header takes the place of a header of a configuration, however its name is written.", async () => {
    fixture = await startHttpServer("streamable");
    const shop = { url: fixture.url, headers: { "X-Tenant": "south", "X-Token": "abc" } };
    const file = writeTemporary("mcp.json", { mcpServers: { shop } });
    const flags = ["--config", file, "--header", "x-tenant: north"];
    const { document } = await runHereJson(["call", "report", ...flags]);
    const headers = { "x-tenant": "north", "x-token": "abc" };
    expect(document).toMatchObject({ hops: [{ result: { structuredContent: { headers } } }] });
  });

  it("A server of a configuration is started in its folder, where its command is looked for.", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "toolrail-"));
    await writeFile(
      join(cwd, "here.cjs"),
      `console.error("in " + process.cwd()); process.exit(3);`,
    );
    const config = { mcpServers: { a: { command: process.execPath, args: ["here.cjs"], cwd } } };
    await writeFile(join(cwd, "mcp.json"), JSON.stringify(config));
    const { stderr } = await runHere(["tools", "--config", join(cwd, "mcp.json")]);
    expect(stderr).toContain(`in ${await realpath(cwd)}`);
  });
});

describe("closing", () => {
  it("Closing ends a server that heeds neither the end of its input nor SIGTERM.", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "toolrail-"));
    const log = join(cwd, "log");
    const args = ["call", "add", '{"a":1,"b":1}', "--server", `shop=${FIXTURE} --stubborn`];
    const { code } = await runCli(args, { env: { FIXTURE_LOG: log } });
    expect(code).toBe(0);
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    expect(lines).toContain("stays");
    const pid = Number(lines[0]?.split(" ")[1]);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
