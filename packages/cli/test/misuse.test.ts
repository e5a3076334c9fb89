import { describe, expect, it } from "vitest";
import { FIXTURE } from "./run-cli.ts";
import { runHere } from "./run-here.ts";
import { writeTemporary } from "./write-temporary.ts";

const SERVER = ["--server", `shop=${FIXTURE}`];

describe("misuse", () => {
  it.each<[string, string[], RegExp]>([
    ["an unknown command", ["tolls"], /Unknown command 'tolls'.*Did you mean tools\?/],
    ["an unknown option", ["tools", ...SERVER, "--jsno"], /Unknown option '--jsno'/],
    [
      "an option without its value",
      ["tools", ...SERVER, "--timeout"],
      /--timeout <value>' argument missing/,
    ],
    [
      "a switch with a value",
      ["tools", ...SERVER, "--json=yes"],
      /--json' does not take an argument/,
    ],
    ["an unknown choice", ["tools", ...SERVER, "--protocol", "1"], /one of 2025-11-25, 2026-07-28/],
    ["no server", ["tools"], /No server given: use --server/],
    ["no tool", ["call", ...SERVER], /Missing argument 'tool'/],
    ["too many arguments", ["tools", "x", ...SERVER], /Too many arguments/],
    ["a server without a name", ["tools", "--server", "npx x"], /needs a name/],
    ["a URL without a name", ["tools", "--server", "https://a.test/?b=c"], /needs a name/],
    ["an address without http", ["tools", "--server", "a=localhost:1/mcp"], /a=http:\/\/localhost/],
    ["a server without a command", ["tools", "--server", "a="], /neither a URL nor a command/],
    ["a pipe in a command", ["tools", "--server", "a=x | y"], /started without a shell.*"\|"/],
    ["an open quote in a command", ["tools", "--server", "a=x 'y"], /quote is not closed/],
    ["two servers of one name", ["tools", ...SERVER, ...SERVER], /Two servers are named "shop"/],
    ["a URL of another kind", ["tools", "--server", "a=ftp://b.test"], /not an http or https URL/],
    ["a URL with a password", ["tools", "--server", "a=http://b:c@d.test"], /in a header/],
    ["an option before the command", ["--json=", "tools"], /Options come after the command/],
    ["no command", [], /No command given.*Usage: toolrail/s],
    [
      "a timeout that no timer can wait",
      ["tools", ...SERVER, "--timeout", "3000000000"],
      /at most 2147483647/,
    ],
    [
      "a limit that is not a number",
      ["tools", ...SERVER, "--timeout", "soon"],
      /whole number from 1/,
    ],
    [
      "a limit of zero",
      ["call", "a", ...SERVER, "--timeout", "0"],
      /--timeout is "0": it must be a whole number from 1/,
    ],
    [
      "an option in place of a value",
      ["tools", ...SERVER, "--timeout", "--protocol"],
      /--timeout' argument is ambiguous/,
    ],
    ["vars that are not JSON", ["pipe", "{}", ...SERVER, "--vars", "{"], /--vars.*not JSON/],
    ["vars that are no object", ["pipe", "{}", ...SERVER, "--vars", "[]"], /--vars.*an object/],
    ["a header without a value", ["tools", ...SERVER, "--header", "abc"], /NAME:VALUE/],
    ["arguments that are no JSON", ["call", "add", "{a:1}", ...SERVER], /ARGS-JSON is not JSON/],
    ["arguments that are no object", ["call", "add", "[1]", ...SERVER], /must be an object/],
    ["a configuration that is not there", ["tools", "--config", "/no/mcp.json"], /no such file/],
  ])("toolrail exits with 2 and one message for %s.", async (_what, args, message) => {
    const { code, stdout, stderr } = await runHere(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });

  it.each([
    ["tools", "--engine", "core"],
    ["check", "--allow", "a"],
    ["pipe", "--profile", "mcp"],
    ["call", "--vars", "{}"],
    ["guard", "--engine", "core"],
  ])("toolrail %s refuses %s, which it would not apply.", async (command, option, value) => {
    const { code, stderr } = await runHere([command, "x", ...SERVER, option, value]);
    expect(stderr).toContain(`Unknown option '${option}'`);
    expect(code).toBe(2);
  });

  it.each<[string, string[], unknown]>([
    ["tools", ["tools"], { error: { code: "usage" } }],
    ["call", ["call", "add", "{", ...SERVER], { error: { code: "usage" } }],
    ["an unknown command", ["nope"], { error: { code: "usage" } }],
    ["an unknown option", ["call", "a", "--x"], { error: { code: "usage" } }],
  ])("toolrail prints one document for %s with --json.", async (_what, args, expected) => {
    const { code, stdout, stderr } = await runHere([...args, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject(expected as object);
    expect(stderr).toMatch(/^toolrail: /);
  });
});

describe("a configuration with a mistake", () => {
  it.each<[string, string, RegExp]>([
    ["no JSON", '{"mcpServers": {,}}', /--config .*mcp\.json is not JSON: .*line 1 column 17/],
    ["no mcpServers", '{"a": {}}', /must be an object \{ "mcpServers"/],
    [
      "a server that is not an object",
      '{"mcpServers": {"a": 1}}',
      /mcpServers\.a must be an object/,
    ],
    ["neither command nor url", '{"mcpServers": {"a": {}}}', /mcpServers\.a\.command is missing/],
    [
      "both",
      '{"mcpServers": {"a": {"url": "https://x", "command": "y"}}}',
      /mcpServers\.a has the unknown key "command"/,
    ],
    [
      "an unknown type",
      '{"mcpServers": {"a": {"type": "ws", "url": "https://x"}}}',
      /mcpServers\.a\.type must be .*"http"/,
    ],
    ["an invalid url", '{"mcpServers": {"a": {"url": "b"}}}', /mcpServers\.a\.url: "b" is not/],
    [
      "args of numbers",
      '{"mcpServers": {"a": {"command": "b", "args": [1]}}}',
      /mcpServers\.a\.args\[0\] must be a text/,
    ],
    [
      "a variable that is not set",
      `{"mcpServers": {"a": {"command": "b", "env": {"K": "\${NOT_SET_HERE}"}}}}`,
      /mcpServers\.a\.env\.K names the environment variable NOT_SET_HERE, which is not set/,
    ],
    [
      "a header that HTTP does not allow, without its value",
      '{"mcpServers": {"a": {"url": "https://b", "headers": {"x": "s\\ncret"}}}}',
      /^toolrail: `headers` of http\(\): "x" is not a header(?!.*cret)/s,
    ],
    ["no server at all", '{"mcpServers": {}}', /has no enabled server/],
  ])("A configuration with a mistake names the place: %s.", async (_what, config, message) => {
    const file = writeTemporary("mcp.json", config);
    const { code, stderr } = await runHere(["tools", "--config", file]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});
