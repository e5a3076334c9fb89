import { type Command, InvalidArgumentError, Option } from "commander";

/** Adds the options of every command that connects servers. */
export function addServerOptions(command: Command): void {
  command
    .optionsGroup("Servers:")
    .option("-s, --server <name=url-or-command>", "a server and its name (repeatable)", collect)
    .option("-c, --config <file>", `a file with the servers: { "mcpServers": { … } }`)
    .option("--header <name:value>", "a header for every server with a URL (repeatable)", collect)
    .addOption(new Option("--protocol <revision>", "of MCP").choices(["2025-11-25", "2026-07-28"]))
    .option("--meta <json>", "_meta of every request, an object")
    .option("--timeout <ms>", "longest time for a server to start, and for each call", parseCount)
    .optionsGroup("Output:")
    .option("--json", "print one JSON document, and nothing else")
    .option("--debug", "show stack traces, and what servers write to stderr");
}

/** Adds the option of every command that makes calls. */
export function addPolicyOption(command: Command): Command {
  return command
    .optionsGroup("Calls:")
    .option("--policy <file>", `what to ask about or deny: { "askUnlessFrom": { "from", "to" } }`);
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The longest time that a timer of JavaScript can wait, in milliseconds. */
const MAX = 2_147_483_647;

export function parseCount(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MAX) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1, at most ${MAX}.`);
}

/** Reads a port. With 0, any free port is used. */
export function parsePort(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("It must be a port: a whole number from 0, at most 65535.");
}
