import {
  type HostProblem,
  type HostTool,
  type ToolName,
  type ToolRef,
  toolId,
} from "../call/tool.ts";
import type { ScreenVerdict } from "../call/tool-screen.ts";
import { ToolrailError } from "../errors.ts";
import { quoted } from "../plain-text.ts";
import { toolKey } from "./model-names.ts";
import type { ServerTools } from "./tool-list.ts";

/** All tools of all servers at one moment. Replaced as a whole when a list changes. */
export interface ToolCatalog {
  /** The tools that may be called, in the order of the servers. */
  readonly tools: readonly HostTool[];
  readonly problems: readonly HostProblem[];
  /** Throws `unknown-tool`, `ambiguous-tool`, `quarantined-tool` or `not-allowed`. */
  find(name: ToolName): HostTool;
  /** True where the server lists such a tool, be it allowed or not. */
  has(ref: ToolRef): boolean;
}

/** A place in the options of a host that names tools. */
export interface NamedTools {
  readonly option: string;
  readonly pattern: string;
  test(tool: ToolRef): boolean;
}

export interface CatalogParts {
  readonly named?: readonly NamedTools[];
  readonly servers: ReadonlyMap<string, ServerTools>;
  readonly isAllowed: (tool: HostTool) => boolean;
  /** What the operator's screens say of a tool; absent if there are no screens. */
  readonly screen?: ((tool: HostTool) => Promise<ScreenVerdict[]>) | undefined;
}

export async function createToolCatalog(parts: CatalogParts): Promise<ToolCatalog> {
  const { servers, isAllowed, screen } = parts;
  const lists = [...servers.values()];
  const all = lists.flatMap(({ tools }) => tools);
  const verdicts = screen ? await Promise.all(all.map(screen)) : [];
  const screened = all.filter((_, at) => !verdicts[at]?.some(({ isRefused }) => isRefused));
  const reading = lists.flatMap(({ resources }) => resources ?? []);
  // Where no model may read resources, only the application finds the way to them.
  const hidden = new Set(reading.filter(({ forModel }) => !forModel));
  const listed = [...screened, ...reading.filter((tool) => !hidden.has(tool))];
  const byKey = new Map([...listed, ...hidden].map((tool) => [toolKey(tool), tool]));
  const problems = [
    ...lists.flatMap((list) => list.problems),
    ...verdicts.flat().flatMap(({ problem }) => problem ?? []),
    ...unmatched(parts),
  ];
  const tools = listed.filter(isAllowed);
  const allowed = new Set(tools);
  let meantBy: NameIndex | undefined;

  const problemOf = ({ server, name }: ToolRef) =>
    problems.find((problem) => problem.server === server && problem.tool === name);
  const get = (ref: ToolRef): HostTool => {
    const tool = byKey.get(toolKey(ref));
    if (tool && (allowed.has(tool) || (hidden.has(tool) && isAllowed(tool)))) return tool;
    if (tool) {
      const message = `Tool ${tool.id} is not in the \`allow\` option of this host; add it if it may be called.`;
      throw new ToolrailError("not-allowed", message);
    }
    const problem = problemOf(ref);
    if (problem)
      throw new ToolrailError("quarantined-tool", quoted(problem.message), { data: problem });
    throw unknownTool(toolId(ref), { tools, problems });
  };
  return {
    tools,
    problems,
    has(ref) {
      const tool = byKey.get(toolKey(ref));
      return (tool !== undefined && !hidden.has(tool)) || problemOf(ref) !== undefined;
    },
    find(name) {
      if (typeof name !== "string") return get(name);
      meantBy ??= createNameIndex(servers);
      const candidates = meantBy(name);
      const [ref, other] = candidates;
      if (!ref) throw unknownTool(name, { tools, problems });
      if (!other) return get(ref);
      const message = `"${name}" may mean ${candidates.map(toolId).join(", ")}; write one of these.`;
      throw new ToolrailError("ambiguous-tool", message, { data: { candidates } });
    },
  };
}

/** Names in options that no tool has, unless a list is missing that may have it. */
function unmatched({ named = [], servers }: CatalogParts): HostProblem[] {
  const problems = [...servers.values()].flatMap((list) => list.problems);
  if (problems.some(({ code }) => code === "list-failed")) return [];
  const refs = refsOf(servers);
  return named.flatMap(({ option, pattern, test }) => {
    if (pattern === "*" || refs.some(test)) return [];
    const message = `\`${option}\` names "${pattern}", but no server lists such a tool. Use an id from host.tools: "server.tool".`;
    return { server: "", code: "unmatched-name", message };
  });
}

/** All that servers list, be it offered or not. */
function refsOf(servers: ReadonlyMap<string, ServerTools>): ToolRef[] {
  return [...servers].flatMap(([server, { tools, resources, problems }]) => {
    const own = resources ? [...tools, resources] : tools;
    const names = [...own.map((t) => t.name), ...problems.flatMap((p) => p.tool ?? [])];
    return [...new Set(names)].map((name) => ({ server, name }));
  });
}

/** What a text may mean: `server.tool`, else a bare name, so that no server makes the ids of another ambiguous. */
type NameIndex = (text: string) => readonly ToolRef[];

function createNameIndex(servers: ReadonlyMap<string, ServerTools>): NameIndex {
  const refs = refsOf(servers);
  const byId = Map.groupBy(refs, toolId);
  const byName = Map.groupBy(refs, ({ name }) => name);
  return (text) => byId.get(text) ?? byName.get(text) ?? [];
}

function unknownTool(
  name: string,
  { tools, problems }: Pick<ToolCatalog, "tools" | "problems">,
): ToolrailError {
  const down = problems.find(
    ({ server, code }) => code === "list-failed" && name.startsWith(`${server}.`),
  );
  if (down) {
    return new ToolrailError("server-unavailable", down.message, { data: { problems: [down] } });
  }
  const ids = tools.slice(0, 12).map((tool) => tool.id);
  const more = tools.length > ids.length ? `, and ${tools.length - ids.length} more` : "";
  const known = `Known tools: ${ids.join(", ") || "none"}${more}.`;
  return new ToolrailError("unknown-tool", `There is no tool "${quoted(name)}". ${known}`);
}
