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

export type ToolCatalog = ReturnType<typeof createToolCatalog>;

/** Collects all tools of all servers at one moment. The whole catalog is replaced when a list changes. */
export function createToolCatalog({ servers, isAllowed, ofNames = [] }: CatalogParts) {
  const lists = [...servers.values()];
  const listed = lists.flatMap((list) => list.tools);
  const tools = Object.freeze(listed.filter(isAllowed));
  const problems = [...lists.flatMap((list) => list.problems), ...ofNames];
  const offered = new Set<unknown>(tools);
  /** All that servers list, offered or not, by their ids. */
  const byId = new Map<string, Tool | Quarantined>(listed.map((tool) => [tool.id, tool]));
  for (const problem of problems) {
    const { server, tool: name = "" } = problem;
    const id = toolId({ server, name });
    if (name !== "" && !byId.has(id)) byId.set(id, { server, name, problem });
  }
  /** Finds what a name may mean. An id wins over a bare name, so that no server hides a tool of another. */
  const lookUp = (name: ToolName): readonly (Tool | Quarantined)[] => {
    const tool = byId.get(toolText(name));
    if (tool || typeof name !== "string") return tool ? [tool] : [];
    return [...byId.values()].filter((one) => one.name === name);
  };
  const unknownTool = (name: string, meant: readonly ToolRef[]): ToolrailError => {
    const down = problems.find((one) => isUnread(one) && name.startsWith(`${one.server}.`));
    if (down) return unreachable(quoted(name), down);
    const near = meant.length > 0 ? meant.map(toolId) : [nearestTool(name, tools) ?? []].flat();
    const hint = near.map((id) => `"${plainLine(id)}"`).join(" or ");
    const message = `There is no tool "${quoted(name)}". ${hint && `Did you mean ${hint}? `}${listTools(tools)}`;
    return new ToolrailError("unknown-tool", message);
  };
  return {
    /** The tools that may be called, in the order of the servers. */
    tools,
    /** The problems of lists and of names. */
    problems,
    /** True if the server lists such a tool, allowed or not. */
    has: (ref: ToolRef): boolean => byId.has(toolId(ref)),
    /** The servers that a name may mean. `undefined`: any. */
    serversOf(name: ToolName): readonly string[] | undefined {
      if (typeof name !== "string") return [name.server];
      const found = lookUp(name).map(({ server }) => server);
      if (found.length > 0) return found;
      const [prefix = ""] = name.split(".");
      return servers.has(prefix) ? [prefix] : undefined;
    },
    /** Finds the tool of an id, or of a bare name that one server has. Throws `unknown-tool`, `quarantined-tool`, `not-allowed` or `server-unavailable`. */
    find(name: ToolName): Tool {
      const [tool, ...others] = lookUp(name);
      if (!tool || others.length > 0) throw unknownTool(toolText(name), lookUp(name));
      if ("problem" in tool) {
        const { problem } = tool;
        throw new ToolrailError("quarantined-tool", quoted(problem.message), { data: problem });
      }
      if (offered.has(tool)) return tool;
      const message = `Tool ${tool.id} is not in the \`allow\` option of this host; add it if it may be called.`;
      throw new ToolrailError("not-allowed", message);
    },
  };
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
