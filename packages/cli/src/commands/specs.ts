import { Option } from "commander";
import type { Failure } from "../outcome.ts";
import type { CommandSpec } from "./command-spec.ts";

const toError = (error: Failure) => ({ error });

/** All commands, in the order of `toolrail --help`. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "tools",
    arguments: [],
    about: "List the tools of the servers, as a host sees them.",
    examples: [
      "toolrail tools --server files='npx -y @modelcontextprotocol/server-filesystem .'",
      "toolrail tools --server bank=https://bank.example/mcp --header 'Authorization: Bearer abc'",
      "toolrail tools --config mcp.json --json",
    ],
    load: async () => (await import("./run-tools.ts")).runTools,
    toDocument: (error, exitCode) => (exitCode === 1 ? [] : toError(error)),
  },
  {
    name: "call",
    arguments: [
      { syntax: "<tool>", about: "server.tool, or the bare name where only one server has it" },
      { syntax: "[args-json]", about: "the arguments, an object; - reads them from stdin" },
    ],
    about: "Make one call, and every call that its result asks for with _meta.nextTool.",
    examples: [
      `toolrail call files.read_text_file '{"path": "README.md"}' --config mcp.json`,
      `toolrail call bank.check_account_issue '{"customerId": "12345"}' --server bank=http://127.0.0.1:3000/mcp --max-depth 3`,
      `echo '{"a": 1, "b": 2}' | toolrail call get-sum - --server everything='npx -y @modelcontextprotocol/server-everything' --json`,
    ],
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
    arguments: [{ syntax: "<spec>", about: "a file with the spec, JSON; - reads it from stdin" }],
    about: "Run a pipe: an mcp_pipe spec, over the tools of all servers.",
    examples: [
      "toolrail pipe notes.json --config mcp.json",
      "toolrail pipe notes.json --config mcp.json --graph > notes.mmd",
      `echo '{"steps":[{"id":"sum","tool":"get-sum","args":{"a":1,"b":2}}]}' | toolrail pipe - --server everything='npx -y @modelcontextprotocol/server-everything' --json`,
    ],
    addOptions: (command) =>
      command
        .option("--graph", "print the pipe as a Mermaid flowchart, and run nothing")
        .addOption(
          new Option("--engine <name>", "what runs it: the core, or a compiled LangGraph graph")
            .choices(["core", "langgraph"])
            .default("core"),
        ),
    load: async () => (await import("./run-pipe.ts")).runPipeCommand,
    toDocument: ({ message }) => ({ ok: false, error: message, result: null, steps: {} }),
  },
  {
    name: "guard",
    arguments: [{ syntax: "<plan>", about: "a file with the plan, JSON; - reads it from stdin" }],
    about: "Judge a planner's plan, and make its one call where it is allowed.",
    examples: [
      "toolrail guard plan.json --config mcp.json --allow bank.get_balance,bank.list_accounts",
      `echo '{"type":"call_tool","tool":"get-sum","arguments":{"a":1,"b":2}}' | toolrail guard - --server everything='npx -y @modelcontextprotocol/server-everything' --allow everything.get-sum --json`,
    ],
    addOptions: (command) =>
      command.option(
        "--allow <names>",
        "tools that may be called, with commas between; without it none may",
        (value: string, before: readonly string[] = []) => [...before, value],
      ),
    load: async () => (await import("./run-guard.ts")).runGuard,
    toDocument: ({ code, message }) => ({ verdict: "block", code, message }),
  },
  {
    name: "check",
    arguments: [],
    about: "Check the contracts of the tools: what must be mended, and what should be.",
    examples: [
      "toolrail check --server files='npx -y @modelcontextprotocol/server-filesystem .'",
      "toolrail check --config mcp.json --json > baseline.json",
      "toolrail check --config mcp.json --baseline baseline.json --markdown >> $GITHUB_STEP_SUMMARY",
      "toolrail check --config mcp.json --exercise",
    ],
    addOptions: (command) =>
      command
        .option("--markdown", "print GitHub-flavoured Markdown")
        .option("--baseline <file>", "fail on findings alone that this output of --json has not")
        .option("--exercise", "call read-only tools with made-up arguments")
        .option("--yes", "with --exercise: call every tool, also those that may change something"),
    load: async () => (await import("./run-check.ts")).runCheck,
    toDocument: toError,
  },
  {
    name: "typegen",
    arguments: [],
    about:
      "Write a TypeScript module with types and parsers of the tools, for createHost({ schemas }).",
    examples: [
      "toolrail typegen --config mcp.json --out src/tools.ts",
      "toolrail typegen --server bank=http://127.0.0.1:3000/mcp > src/bank-tools.ts",
    ],
    addOptions: (command) => command.option("--out <file>", "where to write; default: stdout"),
    load: async () => (await import("./run-typegen.ts")).runTypegen,
    toDocument: toError,
  },
];
