import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandSpec } from "../command.ts";

const EVERYTHING = "--server everything='npx -y @modelcontextprotocol/server-everything'";

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "tools",
    about: "List the tools of the servers, as a host sees them.",
    example:
      "toolrail tools --server bank=https://bank.example/mcp --header 'Authorization: Bearer abc'",
    load: async () => (await import("./run-tools.ts")).runTools,
    toDocument: (error, exitCode) => (exitCode === 1 ? [] : { error }),
  },
  {
    name: "call",
    about: "Make one call, and every call that its result asks for with _meta.nextTool.",
    example: `echo '{"a": 1, "b": 2}' | toolrail call get-sum - ${EVERYTHING} --json`,
    declare: (command) =>
      addPolicyOption(command)
        .argument("<tool>", "server.tool, or the bare name if only one server has it")
        .argument("[args-json]", "the arguments, an object; - reads them from stdin")
        .option("--max-depth <n>", "most calls in the chain", parseCount)
        .option("--references", "show what a model reads of long results"),
    load: async () => (await import("./run-call.ts")).runCall,
    toDocument: (error) => ({
      runId: crypto.randomUUID(),
      ended: error.code === "aborted" ? "aborted" : "failed",
      hops: [],
      error,
    }),
  },
  {
    name: "pipe",
    about: "Run a pipe: an mcp_pipe spec, over the tools of all servers.",
    example: `echo '{"steps":[{"id":"sum","tool":"get-sum","args":{"a":1,"b":2}}]}' | toolrail pipe - ${EVERYTHING}`,
    declare: (command) =>
      addPolicyOption(command)
        .argument("<spec>", "a file with the spec, JSON; - reads it from stdin")
        .option("--max-depth <n>", "most levels of the pipe", parseCount)
        .option("--max-steps <n>", "most steps of the pipe", parseCount)
        .option("--max-parallel <n>", "most steps of the pipe at once", parseCount)
        .option("--vars <json>", "values for the vars of the spec, an object")
        .addOption(new Option("--engine <name>", "default: core").choices(["core", "langgraph"])),
    load: async () => (await import("./run-pipe.ts")).runPipeCommand,
    toDocument: ({ message }) => ({ ok: false, error: message, result: null, steps: {} }),
  },
  {
    name: "guard",
    about: "Check a planner's plan, and make its one call if it is allowed.",
    example:
      "toolrail guard plan.json --config mcp.json --allow bank.get_balance,bank.list_accounts",
    declare: (command) =>
      addPolicyOption(command)
        .argument("<plan>", "the plan, JSON, or a file that contains it; - reads it from stdin")
        .option(
          "--allow <names>",
          "the only tools that may be called, separated by commas",
          collect,
        ),
    load: async () => (await import("./run-guard.ts")).runGuard,
    toDocument: ({ code, message }) => ({ verdict: "block", code, message }),
  },
  {
    name: "check",
    about: "Check servers and tools against the MCP specification and the tool contract.",
    example: "toolrail check --config mcp.json --profile contract",
    declare: (command) =>
      command.addOption(
        new Option("--profile <name>", "default: mcp").choices(["mcp", "contract"]),
      ),
    load: async () => (await import("./run-check.ts")).runCheck,
  },
];

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
function addPolicyOption(command: Command): Command {
  return command
    .optionsGroup("Calls:")
    .option("--policy <file>", `what to ask about or deny: { "askUnlessFrom": { "from", "to" } }`);
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The longest time that a timer of JavaScript can wait, in milliseconds. */
const MAX = 2_147_483_647;

function parseCount(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MAX) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1, at most ${MAX}.`);
}
