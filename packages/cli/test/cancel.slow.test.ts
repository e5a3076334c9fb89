import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { runToolrail } from "../src/run-toolrail.ts";
import { type HttpFixture, startHttpServer } from "./fixtures/http-server.ts";
import { isRunning } from "./is-running.ts";
import { FIXTURE, finishCli, startCli } from "./run-cli.ts";

let fixture: HttpFixture | undefined;
afterEach(() => fixture?.close());

async function logFile() {
  const file = join(await mkdtemp(join(tmpdir(), "toolrail-")), "log");
  const lines = async () => (await readFile(file, "utf8").catch(() => "")).trim().split("\n");
  return { file, lines };
}

describe("Ctrl-C", () => {
  it.each([
    ["a program", FIXTURE],
    ["a program that a shell started", `sh -c '${FIXTURE}; true'`],
  ])(
    "Ctrl-C cancels the call at %s, ends the program, and exits with 1.",
    async (_what, command) => {
      const { file, lines } = await logFile();
      const env = { FIXTURE_LOG: file };
      const cli = startCli(["call", "wait", "--server", `shop=${command}`, "--json"], { env });
      const finished = finishCli(cli);
      await expect.poll(lines).toContain("waiting");
      cli.kill("SIGINT");
      const { code, stdout } = await finished;
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ ended: "aborted", hops: [] });
      const [started, ...later] = await lines();
      expect(later).toEqual(["waiting", "cancelled"]);
      expect(isRunning(Number(started?.split(" ")[1]))).toBe(false);
    },
  );

  it("Ctrl-C tells a server with a URL before the command ends.", async () => {
    fixture = await startHttpServer("streamable");
    const { events, url } = fixture;
    const cli = startCli(["call", "wait", "--server", `shop=${url}`, "--json"]);
    const finished = finishCli(cli);
    await expect.poll(() => events).toContain("tools/call");
    cli.kill("SIGINT");
    const { code } = await finished;
    expect(code).toBe(1);
    await expect.poll(() => events).toContain("notifications/cancelled");
  });

  it.each(["core", "langgraph"])(
    "Ctrl-C keeps the steps of a pipe that are done (%s).",
    async (engine) => {
      const { file, lines } = await logFile();
      const args = ["pipe", "-", "--server", `shop=${FIXTURE}`, "--json", "--engine", engine];
      const cli = startCli(args, { env: { FIXTURE_LOG: file } });
      const steps = [
        { id: "sum", tool: "add", args: { a: 1, b: 2 } },
        { id: "long", tool: "wait" },
        { id: "never", tool: "add", args: { a: 1, b: 2 } },
      ];
      const finished = finishCli(cli, JSON.stringify({ steps, continue_on_error: true }));
      await expect.poll(lines).toContain("waiting");
      cli.kill("SIGINT");
      const { code, stdout } = await finished;
      expect(code).toBe(1);
      const document = JSON.parse(stdout);
      expect(document).toMatchObject({
        ok: false,
        steps: { sum: { ok: true }, long: { ok: false } },
      });
      expect(document.steps.never?.ok ?? false).toBe(false);
      expect(await lines()).toContain("cancelled");
    },
  );

  it("SIGTERM ends the command and the program as Ctrl-C does.", async () => {
    const { file, lines } = await logFile();
    const args = ["call", "wait", "--json", "--server", `shop=${FIXTURE}`];
    const cli = startCli(args, { env: { FIXTURE_LOG: file } });
    const finished = finishCli(cli);
    await expect.poll(lines).toContain("waiting");
    cli.kill("SIGTERM");
    const { code, stdout } = await finished;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ended: "aborted", hops: [] });
    expect(isRunning(Number((await lines())[0]?.split(" ")[1]))).toBe(false);
  });

  it("Ctrl-C while standard input is read ends the command.", async () => {
    const cancel = new AbortController();
    const stdout = new PassThrough();
    const ended = runToolrail(["call", "add", "-", "--json"], {
      stdin: new PassThrough(), // Never ends.
      stdout,
      stderr: new PassThrough(),
      env: {},
      signal: cancel.signal,
    });
    cancel.abort();
    expect(await ended).toBe(1);
    expect(JSON.parse(String(stdout.read()))).toMatchObject({ error: { code: "aborted" } });
  });

  it("Ctrl-C while a server is being connected leaves no program behind.", async () => {
    const { file, lines } = await logFile();
    const script = `require("fs").writeFileSync(process.env.FIXTURE_LOG, "pid " + process.pid)`;
    const server = `a="${process.execPath}" -e '${script}; setInterval(() => {}, 1e3)'`;
    const cli = startCli(["tools", "--server", server], { env: { FIXTURE_LOG: file } });
    const finished = finishCli(cli);
    await expect.poll(async () => (await lines())[0]).toMatch(/^pid \d/);
    cli.kill("SIGINT");
    const { code, stderr } = await finished;
    expect(code).toBe(1);
    expect(stderr).toBe("toolrail: The command was cancelled.\n");
    expect(isRunning(Number((await lines())[0]?.split(" ")[1]))).toBe(false);
  });

  it("Ctrl-C pressed twice ends at once, although a stubborn program does not.", async () => {
    const { file, lines } = await logFile();
    const args = ["call", "wait", "--server", `shop=${FIXTURE} --stubborn`];
    const cli = startCli(args, { env: { FIXTURE_LOG: file } });
    const finished = finishCli(cli);
    await expect.poll(lines).toContain("waiting");
    cli.kill("SIGINT");
    await expect.poll(lines).toContain("cancelled");
    cli.kill("SIGINT");
    expect((await finished).code).toBe(1);
    process.kill(Number((await lines())[0]?.split(" ")[1]), "SIGKILL");
  });
});
