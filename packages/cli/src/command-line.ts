import { parseArgs } from "node:util";
import { nearestName } from "@toolrail/core/adapter";
import manifest from "../package.json" with { type: "json" };

/** An error of the command line or of a file that it names: exit code 2. The message contains the solution. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}

interface OptionSpec {
  /** What stands after the option in the help. Absent for a switch. */
  readonly value?: string;
  readonly about: string;
  readonly short?: string;
  readonly repeats?: true;
  readonly choices?: readonly string[];
  /** True if the value is a whole number from 1. */
  readonly counts?: true;
}

const COUNT = { value: "N", counts: true } as const;

/** The options of every command. */
const COMMON: Readonly<Record<string, OptionSpec>> = {
  server: {
    ...{ value: "NAME=URL-or-command", short: "s", repeats: true },
    about: "a server and its name (repeatable)",
  },
  config: { value: "FILE", short: "c", about: 'a file with the servers: { "mcpServers": { … } }' },
  header: {
    ...{ value: "NAME:VALUE", repeats: true },
    about: "a header for every server with a URL (repeatable)",
  },
  protocol: {
    ...{ value: "REVISION", choices: ["2025-11-25", "2026-07-28"] },
    about: "the revision of MCP",
  },
  meta: { value: "JSON", about: "_meta of every request, an object" },
  timeout: {
    ...COUNT,
    value: "MS",
    about: "longest time for a server to start, and for each call",
  },
  json: { about: "print one JSON document, and nothing else" },
  debug: { about: "show stack traces, and what servers write to stderr" },
  help: { short: "h", about: "print help" },
};

interface CommandSpec {
  readonly about: string;
  /** The arguments with what they mean: required as `<name>`, or optional as `[name]`. */
  readonly args: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly example: string;
}

const EVERYTHING = "--server everything='npx -y @modelcontextprotocol/server-everything'";

const COMMANDS = {
  tools: {
    about: "List the tools of the servers, as a host sees them.",
    args: {},
    options: {},
    example:
      "toolrail tools --server bank=https://bank.example/mcp --header 'Authorization: Bearer abc'",
  },
  call: {
    about: "Make one call, and every call that its result asks for with _meta.nextTool.",
    args: {
      "<tool>": "server.tool, or the bare name if only one server has it",
      "[args-json]": "the arguments, an object; - reads them from stdin",
    },
    options: {
      "max-depth": { ...COUNT, about: "most calls in the chain" },
      references: { about: "show what a model reads of long results" },
    },
    example: `echo '{"a": 1, "b": 2}' | toolrail call get-sum - ${EVERYTHING} --json`,
  },
  pipe: {
    about: "Run a pipe: an mcp_pipe spec, over the tools of all servers.",
    args: { "<spec>": "the spec, JSON, or a file that contains it; - reads it from stdin" },
    options: {
      "max-depth": { ...COUNT, about: "most levels of the pipe" },
      "max-steps": { ...COUNT, about: "most steps of the pipe" },
      "max-parallel": { ...COUNT, about: "most steps of the pipe at once" },
      vars: { value: "JSON", about: "values for the vars of the spec, an object" },
      engine: { value: "NAME", choices: ["core", "langgraph"], about: "what runs it" },
    },
    example: `echo '{"steps":[{"id":"sum","tool":"get-sum","args":{"a":1,"b":2}}]}' | toolrail pipe - ${EVERYTHING}`,
  },
  guard: {
    about: "Check a planner's plan, and make its one call if it is allowed.",
    args: { "<plan>": "the plan, JSON, or a file that contains it; - reads it from stdin" },
    options: {
      allow: {
        ...{ value: "NAMES", repeats: true },
        about: "the only tools that may be called, separated by commas",
      },
    },
    example:
      "toolrail guard plan.json --config mcp.json --allow bank.get_balance,bank.list_accounts",
  },
  check: {
    about: "Check servers and tools against the MCP specification and the tool contract.",
    args: {},
    options: { profile: { value: "NAME", choices: ["mcp", "contract"], about: "what it checks" } },
    example: "toolrail check --config mcp.json --profile contract",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof COMMANDS;

/** The values of all options. A command has only its own. Of `choices`, the first is the default. */
export interface Flags {
  readonly server?: readonly string[];
  readonly config?: string;
  readonly header?: readonly string[];
  readonly protocol: "2025-11-25" | "2026-07-28";
  readonly meta?: string;
  readonly timeout?: number;
  readonly json?: true;
  readonly debug?: true;
  readonly maxDepth?: number;
  readonly references?: true;
  readonly maxSteps?: number;
  readonly maxParallel?: number;
  readonly vars?: string;
  readonly engine: "core" | "langgraph";
  readonly allow?: readonly string[];
  readonly profile: "mcp" | "contract";
}

export interface CommandLine {
  readonly command: CommandName;
  readonly args: readonly string[];
  readonly flags: Flags;
}

/** Finds the command of a command line, even if the rest of the line is wrong. */
export function findCommand(argv: readonly string[]): CommandName | undefined {
  const name = argv.find((arg) => !arg.startsWith("-")) ?? "";
  return Object.hasOwn(COMMANDS, name) ? (name as CommandName) : undefined;
}

/** Parses a command line without Node and the script. Returns a command, or help to print. Throws `UsageError`. */
export function parseCommandLine(argv: readonly string[]): CommandLine | string {
  const [first, ...rest] = argv;
  if (first === undefined) throw new UsageError(`No command given.\n\n${programHelp()}`);
  if (["-h", "--help"].includes(first)) return `${programHelp()}\n`;
  if (["-V", "--version"].includes(first)) return `${manifest.version}\n`;
  if (first.startsWith("-")) {
    throw new UsageError(`Options come after the command: toolrail COMMAND ${first}`);
  }
  if (!Object.hasOwn(COMMANDS, first)) {
    const hint = didYouMean(first, Object.keys(COMMANDS));
    throw new UsageError(`unknown command '${first}'.${hint} See: toolrail --help`);
  }
  const command = first as CommandName;
  const { args, options }: CommandSpec = COMMANDS[command];
  const read = readWords(rest, { ...COMMON, ...options });
  if (typeof read === "string") throw new UsageError(`${read} See: toolrail ${command} --help`);
  if (read.flags.help) return `${commandHelp(command)}\n`;
  const names = Object.keys(args);
  const missing = names.slice(read.words.length).find((name) => name.startsWith("<"));
  const problem =
    read.words.length > names.length
      ? `too many arguments: ${JSON.stringify(read.words[names.length])}.`
      : missing !== undefined && `missing required argument '${missing.slice(1, -1)}'.`;
  if (problem) throw new UsageError(`${problem} See: toolrail ${command} --help`);
  const flags = { protocol: "2025-11-25", engine: "core", profile: "mcp", ...read.flags } as const;
  return { command, args: read.words, flags };
}

/** Reads words and options. Returns what is wrong with them as a sentence. */
function readWords(argv: readonly string[], specs: Readonly<Record<string, OptionSpec>>) {
  const options = Object.entries(specs).map(([name, { value, short }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [name, { type, ...(short && { short }) }];
  });
  // Without `strict`, wrong options are found below, with the nearest name.
  const { tokens } = parseArgs({
    ...{ args: [...argv], options: Object.fromEntries(options) },
    ...{ allowPositionals: true, strict: false, tokens: true },
  });
  const words: string[] = [];
  const flags: { [name: string]: unknown } = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (!spec) return `unknown option '${rawName}'.${didYouMean(name, Object.keys(specs), "--")}`;
    const key = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (spec.value === undefined && value !== undefined) return `${rawName} takes no value.`;
    if (spec.value !== undefined && value === undefined) return `${rawName} needs ${spec.value}.`;
    if (spec.choices && !spec.choices.includes(value ?? "")) {
      return `${rawName} is ${JSON.stringify(value)}: use one of ${spec.choices.join(", ")}.`;
    }
    if (spec.counts && !isCount(value ?? "")) {
      return `${rawName} is ${JSON.stringify(value)}: it must be a whole number from 1, at most ${MAX}.`;
    }
    if (spec.repeats) flags[key] = [...((flags[key] ?? []) as string[]), value];
    else flags[key] = spec.counts ? Number(value) : (value ?? true);
  }
  return { words, flags };
}

/** The longest time that a timer of JavaScript can wait, in milliseconds. */
const MAX = 2_147_483_647;

function isCount(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX;
}

function didYouMean(written: string, names: readonly string[], dashes = ""): string {
  const nearest = nearestName(written, names);
  return nearest === undefined ? "" : ` Did you mean ${dashes}${nearest}?`;
}

function programHelp(): string {
  const commands = Object.entries(COMMANDS).map(([name, { about }]) => [name, about] as const);
  return [
    "Usage: toolrail COMMAND [arguments] [options]",
    "See an MCP server as a host does: its contract, its chains, its pipes.",
    `Commands:\n${toTable(commands)}`,
    "toolrail COMMAND --help lists the options of a command; toolrail --version prints the version.",
    "Exit codes: 0 success, 1 refused or failed, 2 invalid command line.",
  ].join("\n\n");
}

function commandHelp(command: CommandName): string {
  const { about, args, options, example }: CommandSpec = COMMANDS[command];
  const section = (title: string, rows: readonly (readonly [string, string])[]) =>
    rows.length > 0 ? [`${title}:\n${toTable(rows)}`] : [];
  return [
    `Usage: ${["toolrail", command, ...Object.keys(args), "[options]"].join(" ")}`,
    about,
    ...section("Arguments", Object.entries(args)),
    ...section(`Options of ${command}`, Object.entries(options).map(toRow)),
    ...section("Options of all commands", Object.entries(COMMON).map(toRow)),
    `Example:\n  ${example}`,
  ].join("\n\n");
}

function toRow([name, { value = "", about, short, choices }]: [string, OptionSpec]) {
  const names = `${short === undefined ? "" : `-${short}, `}--${name} ${value}`.trimEnd();
  const values = choices ? `: ${choices[0]} (default) or ${choices.slice(1).join(", ")}` : "";
  return [names, `${about}${values}`] as const;
}

function toTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join("\n");
}
