import { invalidOptions } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";

/** The server's name in `createHost`, and the tool's name on that server. */
export interface ToolRef {
  readonly server: string;
  readonly name: string;
}

/** Returns the id of a tool: `server.tool`. */
export function toolId({ server, name }: ToolRef): string {
  return `${server}.${name}`;
}

export function toolText(name: ToolName): string {
  return typeof name === "string" ? name : toolId(name);
}

/** A tool of the host. All fields except `server`, `id`, `modelName` and `forModel` are claims of the server. */
export interface Tool extends ToolRef {
  /** The id: `server.name`. */
  readonly id: string;
  /**
   * The name for models, unique in the host: at most 64 characters of `[A-Za-z0-9_-]`. It depends on the tool and the names
   * of the servers. It is the tool's name if there is one server, and `server_tool` if there are several.
   */
  readonly modelName: string;
  readonly title?: string;
  readonly description?: string;
  /** The schema for arguments. An argument with a `default` is not required, even if the server requires it. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The server's hints. They are untrusted: show them, but never grant anything by them. */
  readonly annotations?: JsonObject;
  /** The server's `execution` (tasks, MCP 2025-11-25). */
  readonly execution?: JsonObject;
  readonly meta?: JsonObject;
  /** False if the tool is for apps alone (`_meta.ui.visibility` without `"model"`). It is then never offered to a model. */
  readonly forModel: boolean;
}

/** A tool by reference or by `server.name`, or by its bare name if only one server has it. */
export type ToolName = string | ToolRef;

/** A problem of one server, one tool, or the options. All other servers and tools work. */
export interface HostProblem {
  /** The name of the server. Empty if the options of the host are wrong. */
  readonly server: string;
  readonly tool?: string;
  readonly code:
    | "list-failed"
    /** The server asks for a sign-in before it lists its tools. */
    | "needs-sign-in"
    /** The list has more pages, tools or bytes than a host reads. The tools up to there are offered. */
    | "list-too-large"
    | "duplicate-name"
    | "invalid-tool"
    | "invalid-schema"
    /** The server runs the tool as a task alone (`execution.taskSupport`, MCP 2025-11-25). */
    | "task-required"
    /** An option names a tool that no server lists. */
    | "unmatched-name"
    /** The tool breaks its contract: see `contract`. It is quarantined. */
    | "contract"
    /** A plugin failed to judge the tool. */
    | "plugin-failed"
    /** The tool was changed after its approval, or was never approved: see `pins`. */
    | "tool-changed"
    | "tool-not-pinned";
  /** The problem, its place, and the remedy. */
  readonly message: string;
  /** All findings. Set with the code `contract`. */
  readonly findings?: readonly ToolFinding[];
}

/** Returns true if the tools of a server could not be read. */
export function isUnread({ code }: Pick<HostProblem, "code">): boolean {
  return code === "list-failed" || code === "needs-sign-in";
}

/** A requirement that a tool breaks. */
export interface ToolFinding {
  /** The name of the requirement: see `ContractRule`. */
  readonly rule: string;
  /** The severity. A tool that breaks a `must` is not offered if the contract is enforced. */
  readonly severity: "must" | "should";
  /** The tool as `server.tool`, or its bare name if the definition belongs to no host. */
  readonly tool: string;
  /** The JSON pointer into the definition: `/inputSchema/properties/id`. */
  readonly path: string;
  /** The problem and its remedy. */
  readonly message: string;
}

/** The tools that an option of the host names. */
export interface NamedTools {
  /** The name of the option in errors. */
  readonly option: string;
  readonly pattern: string;
  /** True if a wrong name would leave a tool unprotected. */
  readonly protects?: boolean;
}

/** The second argument of `checkTool`. */
export interface ScreenContext {
  readonly validator: JsonSchemaValidator;
}

/** The result of checking a tool. */
export interface ScreenVerdict {
  readonly problem?: HostProblem;
  /** True if the tool is quarantined for the `problem`. */
  readonly isRefused?: boolean;
}

/** Names of tools (`"docs.search"`, or `"search"` of any server), patterns (`"bank.*"`, `"*"`), or a function of the tool. */
export type ToolFilter = readonly string[] | ((tool: Tool) => boolean);

/**
 * Turns a pattern into a test of tools or their ids. `*` matches any characters, and a name without a dot matches the tool of that
 * name of any server. Throws `invalid-options` for anything except a non-empty string.
 */
export function toPattern(pattern: unknown, option: string): (tool: ToolRef | string) => boolean {
  if (typeof pattern !== "string" || pattern === "") {
    throw invalidOptions(
      `${option} contains ${JSON.stringify(pattern)}; write patterns such as "bank.*" or "docs.search".`,
    );
  }
  if (!/[.*]/.test(pattern)) {
    const end = `.${pattern}`;
    return (tool) =>
      typeof tool === "string" ? tool === pattern || tool.endsWith(end) : tool.name === pattern;
  }
  const parts = pattern.split("*");
  return (tool) => matches(toolText(tool), parts);
}

/** Turns the `allow` option into a test. Only `true` counts as an answer of a function: a promise does not. */
export function toToolTest(filter: ToolFilter, option: string): (tool: Tool) => boolean {
  if (typeof filter === "function") return (tool) => filter(tool) === true;
  if (!Array.isArray(filter)) {
    throw invalidOptions(`${option} must be a list of patterns or a function.`);
  }
  const tests = filter.map((pattern) => toPattern(pattern, option));
  return (tool) => tests.some((test) => test(tool));
}

function matches(text: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
