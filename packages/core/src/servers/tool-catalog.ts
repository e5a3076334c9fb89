import { needsSignIn } from "../call/call-error.ts";
import { ToolrailError } from "../errors.ts";
import { plainLine, quoted } from "../json/plain-text.ts";
import { nearestName } from "../nearest-name.ts";
import {
  type HostProblem,
  isUnread,
  type Tool,
  type ToolName,
  type ToolRef,
  toolId,
} from "../types/tool.ts";
import type { ServerTools } from "./tool-list.ts";

/** All tools of all servers at one moment. The whole catalog is replaced when a list changes. */
export interface ToolCatalog {
  /** The tools that may be called, in the order of the servers. */
  readonly tools: readonly Tool[];
  readonly problems: readonly HostProblem[];
  /** Throws `unknown-tool`, `ambiguous-tool`, `quarantined-tool` or `not-allowed`. */
  find(name: ToolName): Tool;
  /** True if the server lists such a tool, allowed or not. */
  has(ref: ToolRef): boolean;
}

export interface CatalogParts {
  /** Problems with names of tools in the options. */
  readonly ofNames?: readonly HostProblem[];
  readonly servers: ReadonlyMap<string, ServerTools>;
  readonly isAllowed: (tool: Tool) => boolean;
}

interface Quarantined extends ToolRef {
  readonly problem: HostProblem;
}

export function createToolCatalog({ servers, isAllowed, ofNames = [] }: CatalogParts): ToolCatalog {
  const lists = [...servers.values()];
  const listed = lists.flatMap((list) => list.tools);
  const listProblems = lists.flatMap((list) => list.problems);
  const problems = [...listProblems, ...ofNames];
  const allowed = new Set(listed.filter(isAllowed));
  const tools = [...allowed];
  const none = servers.size === 0 ? "none, since no list has been read yet" : "none";
  /** All that servers list, offered or not. It is built when a tool is first looked for, as is the next map. */
  let keys: ReadonlyMap<string, Tool | Quarantined> | undefined;
  const byKey = () => (keys ??= keyed(listed, listProblems));
  let byName: ReadonlyMap<string, readonly (Tool | Quarantined)[]> | undefined;

  const offered = (found: Tool | Quarantined): Tool => {
    if ("problem" in found) {
      const { problem } = found;
      throw new ToolrailError("quarantined-tool", quoted(problem.message), { data: problem });
    }
    if (allowed.has(found)) return found;
    const message = `Tool ${found.id} is not in the \`allow\` option of this host; add it if it may be called.`;
    throw new ToolrailError("not-allowed", message);
  };
  return {
    tools,
    problems,
    has: (ref) => byKey().has(toolKey(ref)),
    find(name) {
      if (typeof name !== "string") {
        if (allowed.has(name as Tool)) return name as Tool;
        const found = byKey().get(toolKey(name));
        if (!found) throw unknownTool(toolId(name), { tools, problems, none });
        return offered(found);
      }
      // An id wins over a bare name, so that no server makes the ids of another ambiguous.
      if (!byName) {
        const all = [...byKey().values()];
        byName = new Map([...groupBy(all, (ref) => ref.name), ...groupBy(all, toolId)]);
      }
      const candidates = byName.get(name) ?? [];
      const [ref, other] = candidates;
      if (!ref) throw unknownTool(name, { tools, problems, none });
      if (!other) return offered(ref);
      const message = `"${name}" may mean ${candidates.map(toolId).join(", ")}; write one of these.`;
      const data = { candidates: candidates.map(({ server, name }) => ({ server, name })) };
      throw new ToolrailError("ambiguous-tool", message, { data });
    },
  };
}

function keyed(listed: readonly Tool[], problems: readonly HostProblem[]) {
  const keys = new Map<string, Tool | Quarantined>(listed.map((tool) => [toolKey(tool), tool]));
  for (const problem of problems) {
    const { server, tool: name } = problem;
    const key = name !== undefined && toolKey({ server, name });
    if (key && !keys.has(key)) keys.set(key, { server, name, problem });
  }
  return keys;
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
  { tools, problems, none }: Pick<ToolCatalog, "tools" | "problems"> & { readonly none: string },
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
