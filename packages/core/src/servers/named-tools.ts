import { toPattern } from "../call/tool-patterns.ts";
import type { HostProblem, NamedTools, ToolRef } from "../types/tool.ts";
import { listTools, nearestTool } from "./tool-catalog.ts";
import type { ServerTools } from "./tool-list.ts";

/** The list of a server, and whether the server has ever given one. */
export interface AnsweredList extends ServerTools {
  readonly hasAnswered: boolean;
}

export interface UnmatchedName {
  readonly problem: HostProblem;
  /**
   * True if a host is refused for it at the start: the name protects, and all servers that it may mean have answered. A pattern of
   * a known server is not refused, since it may mean tools that the server lists later, such as after a sign-in.
   */
  readonly refuses: boolean;
}

/** Finds the names in options that match no tool that a server lists, offered or not. */
export function findUnmatchedNames(
  names: readonly NamedTools[],
  lists: ReadonlyMap<string, AnsweredList>,
): readonly UnmatchedName[] {
  const listed = [...lists].flatMap(([server, { tools, problems }]): ToolRef[] => [
    ...tools,
    ...problems.flatMap(({ tool: name }) => (name === undefined ? [] : { server, name })),
  ]);
  return names.flatMap(({ option, pattern, protects = false }) => {
    if (pattern === "*" || listed.some(toPattern(pattern, option))) return [];
    const meant = serversMeant(pattern, [...lists.keys()]);
    const silent = meant.filter((server) => !lists.get(server)?.hasAnswered);
    const isFinal = silent.length === 0 && (!pattern.includes("*") || meant.length === 0);
    const near = nearestTool(pattern, listed);
    const hint = near === undefined ? listTools(listed) : `Did you mean "${near}"?`;
    const waits = `${silent.map((server) => `"${server}"`).join(", ")} has not answered yet.`;
    const message = `\`${option}\` names "${pattern}", but no server lists such a tool. ${silent.length > 0 ? waits : hint}`;
    const problem = { server: "", code: "unmatched-name", message } as const;
    return [{ problem, refuses: protects && isFinal }];
  });
}

/** The servers whose tools a pattern may mean. A bare name may mean one of any server, a pattern begins with its server. */
function serversMeant(pattern: string, servers: readonly string[]): readonly string[] {
  if (!/[.*]/.test(pattern)) return servers;
  const [head = ""] = pattern.split("*");
  return servers.filter((server) => head.startsWith(`${server}.`) || `${server}.`.startsWith(head));
}
