import { Command, CommanderError } from "commander";
import manifest from "../package.json" with { type: "json" };
import type { CommandCall, CommandSpec } from "./command.ts";
import { addServerOptions, COMMANDS } from "./commands/specs.ts";
import { UsageError } from "./usage-error.ts";

interface Invocation extends Omit<CommandCall, "context"> {
  readonly spec: CommandSpec;
}

/** Parses a command line without Node and the script. Returns a command, or help to print. Throws `UsageError`. */
export function parseArgv(argv: readonly string[]): Invocation | string {
  let invocation: Invocation | undefined;
  const printed: string[] = [];
  const program = new Command("toolrail")
    .description("See an MCP server as a host does: its contract, its chains, its pipes.")
    .version(manifest.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .configureOutput({ writeOut: (text) => printed.push(text), writeErr: () => {} })
    .exitOverride()
    .addHelpText("after", "\nExit codes: 0 success, 1 refused or failed, 2 invalid command line.");
  for (const spec of COMMANDS) {
    const command = program.command(spec.name).description(spec.about);
    addServerOptions(command);
    spec.declare?.(command);
    command.addHelpText("after", `\nExample:\n  ${spec.example}`);
    command.action(() => {
      invocation = { spec, args: command.args, flags: command.opts() };
    });
  }
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw toUsageError(error, { argv, program });
  }
  return invocation ?? printed.join("");
}

/** Finds the command of a command line, even if the rest of the line is wrong. */
export function findSpec(argv: readonly string[]): CommandSpec | undefined {
  const name = argv.find((arg) => !arg.startsWith("-"));
  return COMMANDS.find((spec) => spec.name === name);
}

function toUsageError(
  error: CommanderError,
  { argv, program }: { readonly argv: readonly string[]; readonly program: Command },
): UsageError {
  if (error.code === "commander.help") {
    return new UsageError(`No command given.\n\n${program.helpInformation().trim()}`);
  }
  if (argv[0]?.startsWith("-")) {
    return new UsageError(`Options come after the command: toolrail COMMAND ${argv[0]}`);
  }
  const spec = findSpec(argv);
  const help = spec ? `toolrail ${spec.name} --help` : "toolrail --help";
  const problem = error.message.replace(/^error: /, "").replace(/\.?$/, ".");
  return new UsageError(`${problem.replace(/\n/g, " ")} See: ${help}`, { cause: error });
}
