import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type StdioOptions, stdio } from "../../src/connect/index.ts";
import { createHost, type HostOptions, modelView } from "../../src/index.ts";
import { allMissing, bringBack, sdks, takeAway } from "./sdks.ts";

const SERVER = fileURLToPath(new URL("../servers/fixtures/stdio-server.mjs", import.meta.url));

async function open(server: HostOptions["servers"][string], limits: HostOptions["limits"] = {}) {
  const host = await createHost({ servers: { own: server }, onEvent: () => {}, limits });
  onTestFinished(() => host.close());
  const pid = async () => Number((await host.call({ tool: "live" })).result.content[0]?.text);
  return { host, pid };
}

/** A program of Node that runs this code. */
const program = (code: string, options?: StdioOptions) =>
  stdio(process.execPath, ["-e", code], options);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.each(sdks)("stdio(), with $name alone", ({ missing }) => {
  beforeAll(() => takeAway(missing));
  afterAll(() => bringBack(missing));

  it("Starts the program once for all calls, again after it has ended in a call, and ends it with the host.", async () => {
    const { host, pid } = await open(stdio(process.execPath, [SERVER]));
    const [first, second] = await Promise.all([pid(), pid()]);
    expect(second).toBe(first);
    const { error } = await host.run({ tool: "die" });
    expect(error).toMatchObject({ code: "outcome-unknown" });
    expect(error?.message).toContain("Connection closed");
    const third = await pid();
    expect(third).not.toBe(first);
    await host.close();
    await expect.poll(() => isRunning(third)).toBe(false);
  });

  it("Says what a program wrote to its stderr that ended before it answered.", async () => {
    const code = `console.error("x".repeat(9000) + "No token."); process.exit(7); // secret`;
    const { host } = await open(program(code));
    const message = host.problems[0]?.message ?? "";
    expect(message).toMatch(
      /^Listing the tools of server "own": the program ".*" cannot be connected: .*Connection closed\. It wrote to its stderr:\nx+No token\.$/s,
    );
    expect(message.length).toBeLessThan(1_500);
    expect(message).not.toContain("secret"); // Arguments may hold some.
    const { error } = await host.run({ tool: "own.live" });
    expect(error).toMatchObject({ code: "server-unavailable" });
    expect(JSON.stringify(modelView(await host.run({ tool: "own.live" })))).not.toContain("token");
  });

  it("Names a program that does not exist.", async () => {
    const { host } = await open(stdio("no-such-program-here", [], { cwd: "/" }));
    expect(host.problems[0]?.message).toContain(
      'the program "no-such-program-here" cannot be started: there is no such program',
    );
  });

  it("Says how a command is written whose arguments stand in one text with it.", async () => {
    const { host } = await open(stdio("no-such-program -y here"));
    expect(host.problems[0]?.message).toContain(
      'the program "no-such-program -y here" cannot be started: there is no such program, or no such folder. Give it a list of arguments, as in stdio("npx", [',
    );
  });

  it("Ends a program that does not answer in time, at once.", async () => {
    let pid = 0;
    const onStderr = (text: string) => {
      pid = Number(/\d+/.exec(text)?.[0]);
    };
    const code = `console.error("listening as", process.pid); setInterval(() => {}, 1000);`;
    const kill = vi.spyOn(process, "kill");
    onTestFinished(() => kill.mockRestore());
    const { host } = await open(program(code, { onStderr }), { callTimeoutMs: 1_500 });
    expect(host.problems[0]?.message).toMatch(
      /did not answer: No answer within 1500 ms\. It wrote to its stderr:\nlistening as \d+$/,
    );
    expect(kill).toHaveBeenCalledWith(pid); // The SDK alone would wait for two seconds first.
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("Gives the program its environment and folder, and passes on what it writes to its stderr.", async () => {
    const code = `console.error(process.env.COLOUR, process.env.VITEST, process.cwd()); process.exit(1);`;
    const written: string[] = [];
    const onStderr: StdioOptions["onStderr"] = (text) => written.push(text);
    await open(program(code, { env: { COLOUR: "green" }, cwd: "/", onStderr }));
    expect(written).toEqual(["green undefined /\n"]);
  });
});

describe("stdio()", () => {
  it("Gives up a program that sends a line without end.", async () => {
    const code = `process.stdout.write("{" + "z".repeat(11_000_000)); process.stdin.on("end", process.exit).resume();`;
    const { host } = await open(program(code));
    expect(host.problems[0]?.message).toContain("cannot be connected: Connection closed");
  });

  it("Says what to install if there is no client of the MCP SDK.", async () => {
    takeAway(allMissing);
    onTestFinished(() => bringBack(allMissing));
    await expect(open(stdio("npx"))).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringContaining("npm install @modelcontextprotocol/client"),
    });
  });

  it.each<[string, () => unknown, RegExp]>([
    ["no command", () => stdio(""), /command must be a text that is not empty/],
    ["arguments in one text", () => stdio("npx", "-y x" as never), /args must be a list/],
    ["an unknown option", () => stdio("npx", [], { envs: {} } as object), /Did you mean "env"/],
    ["a number", () => stdio("npx", [], { env: { A: 1 } } as object), /env\.A must be a text/],
  ])("Refuses %s at once.", (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({ code: "invalid-options" }));
    expect(make).toThrow(message);
  });
});
