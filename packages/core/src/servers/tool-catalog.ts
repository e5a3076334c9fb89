import { needsSignIn } from "../call/call-error.ts";
import {
  type HostProblem,
  isUnread,
  type Tool,
  type ToolName,
  type ToolRef,
  toolId,
  toolText,
} from "../call/tool.ts";
import { ToolrailError } from "../errors.ts";
import { plainLine, quoted } from "../json/plain-text.ts";
import { nearestName } from "../nearest-name.ts";
import type { ServerTools } from "./tool-list.ts";

interface CatalogParts {
  readonly servers: ReadonlyMap<string, ServerTools>;
  readonly isAllowed: (tool: Tool) => boolean;
  /** Problems with names of tools in the options. */
  readonly ofNames?: readonly HostProblem[];
}

interface Quarantined extends ToolRef {
  readonly problem: HostProblem;
}

/** All tools of all servers at one moment. The whole catalog is replaced when a list changes. */
export class ToolCatalog {
  /** The tools that may be called, in the order of the servers. */
  readonly tools: readonly Tool[];
  /** The problems of lists and of names. */
  readonly problems: readonly HostProblem[];
  readonly #servers: CatalogParts["servers"];
  readonly #offered: ReadonlySet<unknown>;
  /** All that servers list, offered or not, by their ids. */
  readonly #byId: Map<string, Tool | Quarantined>;

  constructor({ servers, isAllowed, ofNames = [] }: CatalogParts) {
    const lists = [...servers.values()];
    const listed = lists.flatMap((list) => list.tools);
    this.tools = Object.freeze(listed.filter(isAllowed));
    this.problems = [...lists.flatMap((list) => list.problems), ...ofNames];
    this.#servers = servers;
    this.#offered = new Set(this.tools);
    this.#byId = new Map(listed.map((tool) => [tool.id, tool]));
    for (const problem of this.problems) this.#quarantine(problem);
  }

  #quarantine(problem: HostProblem): void {
    const { server, tool: name = "" } = problem;
    const id = toolId({ server, name });
    if (name !== "" && !this.#byId.has(id)) this.#byId.set(id, { server, name, problem });
  }

  /** True if the server lists such a tool, allowed or not. */
  has(ref: ToolRef): boolean {
    return this.#byId.has(toolId(ref));
  }

  /** The servers that a name may mean. `undefined`: any. */
  serversOf(name: ToolName): readonly string[] | undefined {
    if (typeof name !== "string") return [name.server];
    const found = this.#lookUp(name).map(({ server }) => server);
    if (found.length > 0) return found;
    const [prefix = ""] = name.split(".");
    return this.#servers.has(prefix) ? [prefix] : undefined;
  }

  /** Finds the tool of an id, or of a bare name that one server has. Throws `unknown-tool`, `quarantined-tool`, `not-allowed` or `server-unavailable`. */
  find(name: ToolName): Tool {
    const [tool, ...others] = this.#lookUp(name);
    if (!tool || others.length > 0) throw this.#unknownTool(name);
    if (!("problem" in tool) && this.#offered.has(tool)) return tool;
    throw refusal(tool);
  }

  /** Finds what a name may mean. An id wins over a bare name, so that no server hides a tool of another. */
  #lookUp(name: ToolName): readonly (Tool | Quarantined)[] {
    const tool = this.#byId.get(toolText(name));
    if (tool || typeof name !== "string") return tool ? [tool] : [];
    return [...this.#byId.values()].filter((one) => one.name === name);
  }

  #unknownTool(asked: ToolName): ToolrailError {
    const name = toolText(asked);
    const down = this.problems.find((one) => isUnread(one) && name.startsWith(`${one.server}.`));
    if (down) return unreachable(quoted(name), down);
    const meant = this.#lookUp(asked).map(toolId);
    const near = meant.length > 0 ? meant : [nearestTool(name, this.tools) ?? []].flat();
    const hint = near.map((id) => `"${plainLine(id)}"`).join(" or ");
    const message = `There is no tool "${quoted(name)}". ${hint && `Did you mean ${hint}? `}${listTools(this.tools)}`;
    return new ToolrailError("unknown-tool", message);
  }
}

/** Creates the error for a tool that a server lists, and that may not be called. */
function refusal(tool: Tool | Quarantined): ToolrailError {
  if ("problem" in tool) {
    const { problem } = tool;
    return new ToolrailError("quarantined-tool", quoted(problem.message), { data: problem });
  }
  const message = `Tool ${tool.id} is not in the \`allow\` option of this host; add it if it may be called.`;
  return new ToolrailError("not-allowed", message);
}

/** Creates the error for a tool whose server gives no list. The problem alone holds the reason, since a model may read this message. */
export function unreachable(id: string, problem: HostProblem): ToolrailError {
  if (problem.code === "needs-sign-in") {
    return needsSignIn(problem.server, { what: `The call of ${id}` });
  }
  const message = `${id} was not called: its server cannot be reached at the moment. Try again later.`;
  return new ToolrailError("server-unavailable", message, { data: { problems: [problem] } });
}

/** Lists the ids of the first tools, for errors. */
export function listTools(tools: readonly ToolRef[]): string {
  const ids = tools.slice(0, 12).map((tool) => plainLine(toolId(tool)));
  const more = tools.length > ids.length ? `, and ${tools.length - ids.length} more` : "";
  return `Known tools: ${ids.join(", ") || "none"}${more}.`;
}

/** Finds the id of the tool that was probably meant, by its id or by its bare name. */
export function nearestTool(name: string, tools: readonly ToolRef[]): string | undefined {
  const ids = new Map(
    tools.flatMap((tool) => [tool.name, toolId(tool)].map((text) => [text, toolId(tool)])),
  );
  return ids.get(nearestName(name, [...ids.keys()]) ?? "");
}
