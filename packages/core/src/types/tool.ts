import { isJsonObject, type JsonObject } from "@toolrail/json";

/** The place of a tool: the server's name in `createHost` and the tool's name on that server. */
export interface ToolRef {
  readonly server: string;
  readonly name: string;
}

/** The id of a tool: `server.name`. */
export function toolId({ server, name }: ToolRef): string {
  return `${server}.${name}`;
}

/** The tool that a name means, as text. */
export function toolText(name: ToolName): string {
  return typeof name === "string" ? name : toolId(name);
}

/** The request that a plugin may make a tool of each server. A server's own tools cannot have its name. */
export const RESOURCES = "resources/read";

/** A tool of the host. Everything but `server`, `modelName` and `forModel` is the server's own word. */
export interface Tool extends ToolRef {
  /** `server.name`. */
  readonly id: string;
  /**
   * The name a model sees, unique in the host: at most 64 characters of `[A-Za-z0-9_-]`. It follows from the tool and
   * from the names of the servers: the tool's own name on an only server, `server_tool` where there are several.
   */
  readonly modelName: string;
  readonly title?: string;
  readonly description?: string;
  /** By which arguments are checked. An argument that has a `default` is not required, whatever the server says. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** Hints from an untrusted server: to show, never to grant anything. */
  readonly annotations?: JsonObject;
  /** How the server runs it (tasks, MCP 2025-11-25). */
  readonly execution?: JsonObject;
  /** Pictures from an untrusted server, each with an `https:` or `data:image/` URI in `src`. */
  readonly icons?: readonly JsonObject[];
  readonly meta?: JsonObject;
  /** False for app-only tools (`_meta.ui.visibility` without `"model"`): never offered to a model. */
  readonly forModel: boolean;
}

/**
 * True if apps of its server may call the tool (MCP Apps, SEP-1865): visibility defaults to model and app. An invalid list
 * hides the tool from apps.
 */
export function isForApps({ meta }: Pick<Tool, "meta">): boolean {
  const visibility = isJsonObject(meta?.ui) ? meta.ui.visibility : undefined;
  return visibility === undefined || (Array.isArray(visibility) && visibility.includes("app"));
}

/** A tool by reference, by `server.name`, or by its bare name where only one server has it. */
export type ToolName = string | ToolRef;

/** Something wrong with one server or one tool. All others go on working. */
export interface HostProblem {
  /** Empty where the options of the host are wrong. */
  readonly server: string;
  readonly tool?: string;
  readonly code:
    | "list-failed"
    /** The server asks for a sign-in before it lists its tools. */
    | "needs-sign-in"
    | "endless-list"
    | "too-many-tools"
    | "duplicate-name"
    | "invalid-tool"
    | "invalid-schema"
    /** The server runs it as a task alone (`execution.taskSupport`, MCP 2025-11-25). */
    | "task-required"
    /** An option names a tool that no server lists. */
    | "unmatched-name"
    /** See `contract`: under `"enforce"` the tool is quarantined, under `"report"` it is not. */
    | "contract"
    /** A plugin could not say whether the tool may be offered. */
    | "plugin-failed"
    /** See `pins`: the tool was changed since it was approved, or never was. */
    | "tool-changed"
    | "tool-not-pinned";
  /** What, where and what to do. */
  readonly message: string;
  /** With `contract`: all that was found. */
  readonly findings?: readonly ToolFinding[];
}

/** True if the tools of a server could not be read. */
export function isUnread({ code }: Pick<HostProblem, "code">): boolean {
  return code === "list-failed" || code === "needs-sign-in";
}

/** One point where a tool falls short of what is asked of it. */
export interface ToolFinding {
  /** What was asked: see `ContractRule`. */
  readonly rule: string;
  /** A tool that breaks a `must` is not offered where the contract is enforced. */
  readonly severity: "must" | "should";
  /** `server.tool`, or the bare name of a definition that no host has named. */
  readonly tool: string;
  /** JSON pointer into the definition: `/inputSchema/properties/id`. */
  readonly path: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** A place in the options of a host that names tools. */
export interface NamedTools {
  /** How an error calls the option. */
  readonly option: string;
  readonly pattern: string;
  /** True if a wrong name would leave a tool without its protection. */
  readonly protects?: boolean;
  /** True if it may also be what `note` records: see `sources({ notes })`. */
  readonly orNote?: boolean;
  /** Paths of arguments that the option names for these tools. */
  readonly arguments?: readonly string[];
}
