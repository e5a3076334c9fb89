import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { getSystemErrorMessage, parseArgs } from "node:util";
import { nearestName, withOwnSignal } from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import manifest from "../package.json" with { type: "json" };
import type { Context } from "./run-toolrail.ts";

/** An error of the command line or of a file that it names: exit code 2. The message contains the solution. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}

const COMMON_HELP = `Options of all commands:
  -s, --server NAME=URL-or-command  a server and its name (repeatable)
  -c, --config FILE                 a file with the servers: { "mcpServers": { … } }
  --header NAME:VALUE               a header for every server with a URL (repeatable)
  --protocol REVISION               the revision of MCP: 2025-11-25 (default) or 2026-07-28
  --timeout MS                      longest time for a server to start, and for each call
  --json                            print one JSON document, and nothing else
  -h, --help                        print help`;

const COMMON = {
  server: { type: "string", short: "s", multiple: true },
  config: { type: "string", short: "c" },
  header: { type: "string", multiple: true },
  protocol: { type: "string" },
  timeout: { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** The options of single commands. */
const OWN = {
  vars: { type: "string" },
  engine: { type: "string" },
  allow: { type: "string", multiple: true },
  profile: { type: "string" },
} as const;

interface CommandSpec {
  /** The arguments: required as `<name>`, or optional as `[name]`. */
  readonly args: readonly string[];
  readonly options: readonly (keyof typeof OWN)[];
  /** What it does, in one line. */
  readonly about: string;
  /** The help on its own arguments and options. */
  readonly help?: string;
}

const COMMANDS = {
  tools: {
    args: [],
    options: [],
    about: "List the tools of the servers, as a host sees them.",
  },
  call: {
    args: ["<tool>", "[args-json]"],
    options: [],
    about: "Make one call, and every call that its result asks for with _meta.nextTool.",
    help: `Arguments:
  <tool>       server.tool, or the bare name if only one server has it
  [args-json]  the arguments, an object; - reads them from stdin`,
  },
  pipe: {
    args: ["<spec>"],
    options: ["vars", "engine"],
    about: "Run a pipe: an mcp_pipe spec, over the tools of all servers.",
    help: `Arguments:
  <spec>  the spec, JSON, or a file that contains it; - reads it from stdin

Options of pipe:
  --vars JSON    values for the vars of the spec, an object
  --engine NAME  what runs it: core (default) or langgraph`,
  },
  guard: {
    args: ["<plan>"],
    options: ["allow"],
    about: "Check a planner's plan, and make its one call if it is allowed.",
    help: `Arguments:
  <plan>  the plan, JSON, or a file that contains it; - reads it from stdin

Options of guard:
  --allow NAMES  the only tools that may be called, separated by commas`,
  },
  check: {
    args: [],
    options: ["profile"],
    about: "Check servers and tools against the MCP specification and the tool contract.",
    help: `Options of check:
  --profile NAME  what it checks: mcp (default) or contract`,
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

const HELP = `Usage: toolrail COMMAND [arguments] [options]

See an MCP server as a host does: its contract, its chains, its pipes.

Commands:
${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(5)}  ${about}`)
  .join("\n")}

toolrail COMMAND --help lists the options of a command; toolrail --version prints the version.

Exit codes: 0 success, 1 refused or failed, 2 invalid command line.`;

export type CommandName = keyof typeof COMMANDS;

/** The values of all options. A command has only its own. */
export type Flags = ReturnType<typeof readFlags>;

/** A command with its arguments and options. */
export interface CommandLine {
  readonly command: CommandName;
  readonly args: readonly string[];
  readonly flags: Flags;
}

/** Parses a command line without Node and the script. Returns a command, or help to print. Throws `UsageError`. */
export function parseCommandLine(argv: readonly string[]): CommandLine | string {
  const [first, ...rest] = argv;
  if (first === undefined) throw new UsageError(`No command given.\n\n${HELP}`);
  if (["-h", "--help"].includes(first)) return `${HELP}\n`;
  if (["-V", "--version"].includes(first)) return `${manifest.version}\n`;
  if (first.startsWith("-")) {
    throw new UsageError(`Options come after the command: toolrail COMMAND ${first}`);
  }
  if (!isCommand(first)) {
    const nearest = nearestName(first, Object.keys(COMMANDS));
    const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
    throw new UsageError(`Unknown command '${first}'.${hint} See: toolrail --help`);
  }
  const command = first;
  const { args: names, options, about, help }: CommandSpec = COMMANDS[command];
  const see = `See: toolrail ${command} --help`;
  const { positionals: args, values } = readWords(rest, { options, see });
  if (values.help) {
    const usage = ["Usage: toolrail", command, ...names, "[options]"].join(" ");
    return `${[usage, about, ...(help ? [help] : []), COMMON_HELP].join("\n\n")}\n`;
  }
  const { [args.length]: missing } = names;
  if (missing?.startsWith("<")) {
    throw new UsageError(`Missing argument '${missing.slice(1, -1)}'. ${see}`);
  }
  if (args.length > names.length) {
    throw new UsageError(`Too many arguments: ${JSON.stringify(args[names.length])}. ${see}`);
  }
  return { command, args, flags: readFlags(values) };
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

function readWords(
  argv: readonly string[],
  { options: own, see }: { readonly options: CommandSpec["options"]; readonly see: string },
) {
  const known = [...Object.entries(COMMON), ...own.map((name) => [name, OWN[name]] as const)];
  // The options of other commands have types here, and no values.
  const options = Object.fromEntries(known) as unknown as typeof COMMON & typeof OWN;
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (cause) {
    const text = (cause as Error).message.replaceAll("\n", " ").replace(/\.?$/, ".");
    throw new UsageError(`${text} ${see}`, { cause });
  }
}

function readFlags(values: ReturnType<typeof readWords>["values"]) {
  return {
    ...values,
    protocol: readChoice("protocol", values.protocol, ["2025-11-25", "2026-07-28"]),
    engine: readChoice("engine", values.engine, ["core", "langgraph"]),
    profile: readChoice("profile", values.profile, ["mcp", "contract"]),
    timeout: readTimeout(values.timeout),
  };
}

/** Reads one of some words. The first is the default. */
function readChoice<const Choice extends string>(
  option: string,
  given: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const choice = given === undefined ? choices[0] : choices.find((one) => one === given);
  if (choice !== undefined) return choice;
  const list = choices.join(", ");
  throw new UsageError(`--${option} is ${JSON.stringify(given)}: use one of ${list}.`);
}

/** The longest time that a timer of JavaScript can wait, in milliseconds. */
const MAX = 2_147_483_647;

function readTimeout(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d+$/.test(given) && Number(given) >= 1 && Number(given) <= MAX) return Number(given);
  const rule = `it must be a whole number from 1, at most ${MAX}`;
  throw new UsageError(`--timeout is ${JSON.stringify(given)}: ${rule}.`);
}

/** Reads standard input. */
export function readStdin({ stdin, signal }: Context): Promise<string> {
  return withOwnSignal({ signal }, () => text(stdin));
}

/** Reads an argument that is a JSON object, the name of a file, or `-` for standard input. Throws `UsageError`, which begins with `what`. */
export async function readArgument(given: string, what: string, context: Context): Promise<string> {
  if (given === "-") return readStdin(context);
  return given.trimStart().startsWith("{") ? given : readTextFile(given, what);
}

/** Reads a file. Throws `UsageError`, which begins with `what`. */
export async function readTextFile(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (cause) {
    const { errno } = cause as NodeJS.ErrnoException;
    const why = errno === undefined ? String(cause) : getSystemErrorMessage(errno);
    throw new UsageError(`${what} ${file} cannot be read: ${why}.`, { cause });
  }
}

/** Parses a JSON object. Throws `UsageError`, which begins with `where`. */
export function parseJsonObject(json: string, where: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new UsageError(`${where} is not JSON: ${(cause as Error).message}.`, { cause });
  }
  if (isJsonObject(value)) return value;
  throw new UsageError(`${where} must be an object: { … }.`);
}
