import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { CommandSpec } from "./commands/command-spec.ts";
import type { Flags } from "./commands/flags.ts";
import { COMMANDS } from "./commands/specs.ts";
import { UsageError } from "./usage-error.ts";

/** What a command line asks for. */
export type Invocation =
  | { readonly type: "print"; readonly text: string }
  | {
      readonly type: "run";
      readonly spec: CommandSpec;
      readonly args: readonly string[];
      readonly flags: Flags;
    };

/** Reads a command line, without the names of Node and the script. Throws `UsageError`. */
export function parseArgv(argv: readonly string[], version: string): Invocation {
  let invocation: Invocation | undefined;
  const printed: string[] = [];
  const program = new Command("toolrail")
    .description("See what a host makes of an MCP server: its contract, its chains, its pipes.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help of a command")
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => {} })
    .exitOverride()
    .addHelpText("after", `\n${EXIT_CODES}`);
  for (const spec of COMMANDS) {
    const command = program.command(spec.name).description(spec.about);
    for (const { syntax, about } of spec.arguments) command.argument(syntax, about);
    addServerOptions(command);
    spec.addOptions?.(command);
    command.addHelpText("after", `\nExamples:\n${spec.examples.map((e) => `  ${e}`).join("\n")}`);
    command.action(() => {
      invocation = { type: "run", spec, args: command.args, flags: command.opts<Flags>() };
    });
  }
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: "print", text: printed.join("") };
    throw toUsageError(error, argv, program);
  }
  return invocation ?? { type: "print", text: program.helpInformation() };
}

/** The command that a command line means, also where the rest of it is wrong. */
export function findSpec(argv: readonly string[]): CommandSpec | undefined {
  const name = argv.find((arg) => !arg.startsWith("-"));
  return COMMANDS.find((spec) => spec.name === name);
}

const EXIT_CODES = `Exit codes: 0 done, 1 the tool, chain, pipe, guard or check said no, 2 the command line is wrong.`;

function addServerOptions(command: Command): void {
  command
    .optionsGroup("Servers:")
    .option(
      "-s, --server <name=url-or-command>",
      "a server: its name, and its URL or the command that starts it (repeatable)",
      collect,
    )
    .option("-c, --config <file>", `a file with the servers: { "mcpServers": { … } }`)
    .option(
      "--header <name:value>",
      "a header sent to every server with a URL (repeatable)",
      collect,
    )
    .optionsGroup("Calls:")
    .option("--meta <json>", "_meta of every request, an object", parseMeta)
    .option("--max-depth <n>", "most calls in a chain; for a pipe, most levels", parseCount)
    .option("--max-steps <n>", "most steps of a pipe", parseCount)
    .option("--max-parallel <n>", "most steps of a pipe at once", parseCount)
    .option("--timeout <ms>", "longest time for a server to start, and for each call", parseMs)
    .optionsGroup("Output:")
    .addOption(new Option("--json", "print one JSON document, and nothing else"))
    .addOption(new Option("--debug", "show stack traces, and what servers write to stderr"));
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function parseCount(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("It must be a whole number from 1.");
}

/** The longest that a timer of JavaScript can wait. */
const MAX_MS = 2_147_483_647;

function parseMs(text: string): number {
  const value = parseCount(text);
  if (value <= MAX_MS) return value;
  throw new InvalidArgumentError(`It must be at most ${MAX_MS}.`);
}

function parseMeta(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InvalidArgumentError(`It is not JSON: ${(cause as Error).message}.`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new InvalidArgumentError(`It must be an object, such as '{"tenant": "a"}'.`);
}

function toUsageError(error: CommanderError, argv: readonly string[], program: Command) {
  const spec = findSpec(argv);
  if (error.code === "commander.help") {
    const named = argv.find((arg) => !arg.startsWith("-") && arg !== "help");
    const problem =
      named === undefined ? "No command is named." : `There is no command '${named}'.`;
    return new UsageError(`${problem}\n\n${program.helpInformation().trim()}`);
  }
  if (spec && argv[0]?.startsWith("-")) {
    return new UsageError(`Options come after the command: toolrail ${spec.name} ${argv[0]}`);
  }
  const help = spec ? `toolrail ${spec.name} --help` : "toolrail --help";
  const problem = error.message.replace(/^error: /, "").replace(/\.?$/, ".");
  return new UsageError(`${problem.replace(/\n/g, " ")} See: ${help}`, { cause: error });
}
