import { ToolrailError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { assignModelNames } from "./model-names.ts";
import type { HostProblem, HostTool, ToolName, ToolRef } from "./tool.ts";
import type { ListedTool, ServerTools } from "./tool-list.ts";

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

/** What the operator's standing rules say of a tool that a server lists. */
export type ToolScreen = (tool: HostTool) => {
  readonly problem?: HostProblem;
  /** The tool is quarantined, and `problem` says why. */
  readonly isRefused?: boolean;
};

export function createToolCatalog(
  servers: ReadonlyMap<string, ServerTools>,
  isAllowed: (tool: HostTool) => boolean,
  screen: ToolScreen = () => ({}),
): ToolCatalog {
  const screened = toHostTools(servers).map((tool) => ({ tool, ...screen(tool) }));
  const listed = screened.flatMap(({ tool, isRefused }) => (isRefused ? [] : [tool]));
  const byId = new Map(listed.map((tool) => [refKey(tool), tool]));
  const problems = [
    ...[...servers.values()].flatMap((server) => server.problems),
    ...screened.flatMap(({ problem }) => problem ?? []),
  ];
  const tools = listed.filter(isAllowed);
  const allowed = new Set(tools);

  const get = (ref: ToolRef): HostTool => {
    const tool = byId.get(refKey(ref));
    if (tool && allowed.has(tool)) return tool;
    if (tool) throw notAllowed(tool);
    const problem = problemOf(ref, problems);
    if (problem) throw new ToolrailError("quarantined-tool", problem.message, { data: problem });
    throw unknownTool(`${ref.server}.${ref.name}`, servers, tools);
  };
  const resolved = new Map<string, ToolRef>();
  return {
    tools,
    problems,
    has: (ref) => byId.has(refKey(ref)) || problemOf(ref, problems) !== undefined,
    find(name) {
      if (typeof name !== "string") return get(name);
      let ref = resolved.get(name);
      if (!ref) {
        ref = resolveName(name, servers);
        if (ref) resolved.set(name, ref);
      }
      if (!ref) throw unknownTool(name, servers, tools);
      return get(ref);
    },
  };
}

/** Tools and quarantined names that a text can mean: `server.tool`, or a bare name. */
function resolveName(name: string, servers: ReadonlyMap<string, ServerTools>): ToolRef | undefined {
  const meant: ToolRef[] = [];
  for (const [server, { tools, problems }] of servers) {
    const names = new Set([...tools.map((t) => t.name), ...problems.flatMap((p) => p.tool ?? [])]);
    if (names.has(name)) meant.push({ server, name });
    const bare = name.slice(server.length + 1);
    if (name.startsWith(`${server}.`) && names.has(bare)) meant.push({ server, name: bare });
  }
  if (meant.length > 1) {
    const ids = meant.map((ref) => `${ref.server}.${ref.name}`).join(", ");
    throw new ToolrailError("ambiguous-tool", `"${name}" may mean ${ids}; write one of these.`, {
      data: { candidates: meant },
    });
  }
  return meant[0];
}

function toHostTools(servers: ReadonlyMap<string, ServerTools>): HostTool[] {
  const refs = [...servers].flatMap(([server, { tools }]) =>
    tools.map((tool) => ({ server, name: tool.name, tool })),
  );
  const names = assignModelNames(refs);
  return refs.map((ref) => toHostTool(ref.server, ref.tool, names.get(ref) ?? ref.name));
}

function toHostTool(server: string, tool: ListedTool, modelName: string): HostTool {
  const { name, definition, inputSchema, outputSchema } = tool;
  const { title, description, annotations, execution, _meta: meta } = definition;
  return {
    server,
    name,
    id: `${server}.${name}`,
    modelName,
    inputSchema,
    forModel: isForModel(meta),
    ...(typeof title === "string" && { title }),
    ...(typeof description === "string" && { description }),
    ...(outputSchema && { outputSchema }),
    ...(isJsonObject(annotations) && { annotations }),
    ...(isJsonObject(execution) && { execution }),
    ...(isJsonObject(meta) && { meta }),
  };
}

/** MCP Apps (SEP-1865): visibility defaults to model and app. A list that is none shows to nobody. */
function isForModel(meta: unknown): boolean {
  const ui = isJsonObject(meta) ? meta.ui : undefined;
  const visibility = isJsonObject(ui) ? ui.visibility : undefined;
  if (visibility === undefined) return true;
  return Array.isArray(visibility) && visibility.includes("model");
}

function refKey({ server, name }: ToolRef): string {
  return `${server}\0${name}`;
}

function problemOf(ref: ToolRef, problems: readonly HostProblem[]): HostProblem | undefined {
  return problems.find(({ server, tool }) => server === ref.server && tool === ref.name);
}

function notAllowed(tool: HostTool): ToolrailError {
  return new ToolrailError(
    "not-allowed",
    `Tool ${tool.id} is outside the \`allow\` option of this host; add it there if it may be called.`,
  );
}

function unknownTool(
  name: string,
  servers: ReadonlyMap<string, ServerTools>,
  tools: readonly HostTool[],
): ToolrailError {
  const down = [...servers.values()]
    .flatMap(({ problems }) => problems)
    .find(({ server, code }) => code === "list-failed" && name.startsWith(`${server}.`));
  if (down) return new ToolrailError("server-unavailable", down.message, { data: down });
  const known = tools.slice(0, 12).map((tool) => tool.id);
  const more = tools.length > known.length ? `, and ${tools.length - known.length} more` : "";
  return new ToolrailError(
    "unknown-tool",
    known.length > 0
      ? `There is no tool "${name}". Known are ${known.join(", ")}${more}.`
      : `There is no tool "${name}"; this host has none at all.`,
  );
}
