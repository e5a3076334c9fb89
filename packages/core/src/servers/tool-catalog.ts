import { needsSignIn } from "../call/call-error.ts";
import {
  type HostProblem,
  isUnread,
  type Tool,
  type ToolName,
  type ToolRef,
  toolId,
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
  const problems = lists.flatMap((list) => list.problems);
  const allowed = new Set(listed.filter(isAllowed));
  const found = { tools: [...allowed], problems: [...problems, ...ofNames] };
  const none = servers.size === 0 ? "none, since no list has been read yet" : "none";
  /** All that servers list, offered or not. It is built when a tool is first looked for. */
  let built: ReturnType<typeof indexTools> | undefined;
  const index = () => (built ??= indexTools(listed, problems));

  const offered = (tool: Tool | Quarantined): Tool => {
    if ("problem" in tool) {
      const { problem } = tool;
      throw new ToolrailError("quarantined-tool", quoted(problem.message), { data: problem });
    }
    if (allowed.has(tool)) return tool;
    const message = `Tool ${tool.id} is not in the \`allow\` option of this host; add it if it may be called.`;
    throw new ToolrailError("not-allowed", message);
  };
  return {
    /** The tools that may be called, in the order of the servers, and the problems of lists and names. */
    ...found,
    /** True if the server lists such a tool, allowed or not. */
    has: (ref: ToolRef): boolean => index().byKey.has(toolKey(ref)),
    /** Throws `unknown-tool`, `quarantined-tool` or `not-allowed`. */
    find(name: ToolName): Tool {
      if (typeof name !== "string") {
        if (allowed.has(name as Tool)) return name as Tool;
        const tool = index().byKey.get(toolKey(name));
        if (!tool) throw unknownTool(toolId(name), { ...found, none });
        return offered(tool);
      }
      const candidates = index().byText.get(name) ?? [];
      const [tool, other] = candidates;
      if (!tool) throw unknownTool(name, { ...found, none });
      if (!other) return offered(tool);
      const message = `"${name}" may mean ${candidates.map(toolId).join(", ")}; write one of these.`;
      throw new ToolrailError("unknown-tool", message);
    },
  };
}

function indexTools(listed: readonly Tool[], problems: readonly HostProblem[]) {
  const byKey = new Map<string, Tool | Quarantined>(listed.map((tool) => [toolKey(tool), tool]));
  for (const problem of problems) {
    const { server, tool: name } = problem;
    const key = name !== undefined && toolKey({ server, name });
    if (key && !byKey.has(key)) byKey.set(key, { server, name, problem });
  }
  const all = [...byKey.values()];
  // An id wins over a bare name, so that no server makes the ids of another ambiguous.
  const byText = new Map([...groupBy(all, ({ name }) => name), ...groupBy(all, toolId)]);
  return { byKey, byText };
}

/** Groups tools by a text. `Map.groupBy` does the same, from Node 21 on. */
function groupBy<Ref extends ToolRef>(refs: readonly Ref[], textOf: (ref: ToolRef) => string) {
  const groups = new Map<string, Ref[]>();
  for (const ref of refs) {
    const group = groups.get(textOf(ref));
    if (group) group.push(ref);
    else groups.set(textOf(ref), [ref]);
  }
  return groups;
}

/** Builds a unique key. `server.name` is not unique, since names of tools may contain dots. */
function toolKey({ server, name }: ToolRef): string {
  return `${server}\0${name}`;
}

/** Creates the error for a tool whose server gives no list. The problem alone holds the reason, since a model may read this message. */
export function unreachable(id: string, problem: HostProblem): ToolrailError {
  if (problem.code === "needs-sign-in") {
    return needsSignIn(problem.server, { what: `The call of ${id}` });
  }
  const message = `${id} was not called: its server cannot be reached at the moment. Try again later.`;
  return new ToolrailError("server-unavailable", message, { data: { problems: [problem] } });
}

function unknownTool(
  name: string,
  {
    tools,
    problems,
    none,
  }: {
    readonly tools: readonly Tool[];
    readonly problems: readonly HostProblem[];
    readonly none: string;
  },
): ToolrailError {
  const down = problems.find((one) => isUnread(one) && name.startsWith(`${one.server}.`));
  if (down) return unreachable(quoted(name), down);
  const near = nearestTool(name, tools);
  const meant = near === undefined ? "" : `Did you mean "${plainLine(near)}"? `;
  const message = `There is no tool "${quoted(name)}". ${meant}${listTools(tools, none)}`;
  return new ToolrailError("unknown-tool", message);
}

/** Lists the ids of the first tools, for errors. */
export function listTools(tools: readonly ToolRef[], none = "none"): string {
  const ids = tools.slice(0, 12).map((tool) => plainLine(toolId(tool)));
  const more = tools.length > ids.length ? `, and ${tools.length - ids.length} more` : "";
  return `Known tools: ${ids.join(", ") || none}${more}.`;
}

/** Finds the id of the tool that was probably meant, by its id or by its bare name. */
export function nearestTool(name: string, tools: readonly ToolRef[]): string | undefined {
  const ids = new Map(
    tools.flatMap((tool) => [tool.name, toolId(tool)].map((text) => [text, toolId(tool)])),
  );
  return ids.get(nearestName(name, [...ids.keys()]) ?? "");
}
