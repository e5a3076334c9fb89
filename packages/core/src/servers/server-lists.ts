import type { ServerFacts } from "../call/port.ts";
import {
  type HostProblem,
  type NamedTools,
  type Tool,
  type ToolName,
  type ToolRef,
  toPattern,
} from "../call/tool.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { LinkedServer, ServerLink } from "./server-link.ts";
import { createServerList, type ServerList, type ServerParts } from "./server-list.ts";
import { createToolCatalog, listTools, nearestTool, unreachable } from "./tool-catalog.ts";

interface ServerListsParts extends Omit<ServerParts, "prefixed"> {
  readonly servers: ReadonlyMap<string, LinkedServer>;
  readonly isAllowed: (tool: Tool) => boolean;
  /** The names of tools in the options of the host. */
  readonly named: readonly NamedTools[];
}

export type ServerLists = ReturnType<typeof createServerLists>;

/** Creates the tool lists of all servers of a host, and keeps them up to date. It asks the servers nothing yet. */
export function createServerLists(parts: ServerListsParts) {
  const { tell, now, isAllowed } = parts;
  const prefixed = [...parts.servers].flatMap(([name, { prefix }]) => (prefix ? name : []));
  const names = [...parts.named];
  const closing = new AbortController();
  const closed = closing.signal;
  let catalog = createToolCatalog({ servers: new Map(), isAllowed });
  let isOpen = false;

  const onRead = (): void => {
    const unmatched = isOpen ? findUnmatchedNames(names, lists) : [];
    const ofNames = unmatched.map(({ problem }) => problem);
    const isNew = ({ message }: HostProblem) =>
      !catalog.problems.some((known) => known.message === message);
    for (const problem of ofNames.filter(isNew)) tell({ type: "problem", atMs: now(), problem });
    const servers = new Map([...lists].map(([server, { current }]) => [server, current()]));
    catalog = createToolCatalog({ servers, isAllowed, ofNames });
  };
  const lists: ReadonlyMap<string, ServerList> = new Map(
    [...parts.servers].map(([name, server]) => {
      return [name, createServerList(name, { ...parts, ...server, prefixed, closed, onRead })];
    }),
  );
  const listOf = (server: string): ServerList => {
    closed.throwIfAborted();
    const list = lists.get(server);
    if (list !== undefined) return list;
    const hint = suggestName(server, [...lists.keys()]);
    throw invalidOptions(`There is no server "${server}". ${hint}`);
  };
  const readFirst = async (): Promise<void> => {
    const all = [...lists.values()];
    await Promise.all(all.map((list) => list.read()));
    const problems = all.flatMap((list) => list.failure() ?? []);
    if (problems.length < all.length || all.some(({ link }) => !link.isOpen())) return;
    const message = problems.map((problem) => problem.message).join(" ");
    const [first] = problems;
    if (first && problems.every(({ code }) => code === "needs-sign-in")) {
      throw new ToolrailError("needs-sign-in", message, { data: { server: first.server } });
    }
    throw new ToolrailError("server-unavailable", message, { data: { problems } });
  };
  /** Throws `invalid-options` for names that have to match a tool, and match none of any server that they may mean. */
  const refuseUnmatched = (some: readonly NamedTools[]): void => {
    const wrong = findUnmatchedNames(some, lists).filter(({ refuses }) => refuses);
    if (wrong.length > 0)
      throw invalidOptions(wrong.map(({ problem }) => problem.message).join(" "));
  };
  const close = async (which: { readonly given: boolean }): Promise<void> => {
    closing.abort(new ToolrailError("aborted", "This host is closed; create a new one."));
    await Promise.allSettled([...lists.values()].map(({ link }) => link.close(which)));
  };
  return {
    /** Returns the tools that were last read. Unconnected servers and old lists are tried again in the background. */
    catalog() {
      for (const list of lists.values()) list.renew();
      return catalog;
    },
    find: (name: ToolName): Tool => catalog.find(name),
    instructions(): Readonly<Record<string, string>> {
      const texts = [...lists].flatMap(([server, { link }]) => {
        const text = link.instructions();
        return typeof text === "string" ? [[server, text.slice(0, MOST_TEXT)]] : [];
      });
      return Object.fromEntries(texts);
    },
    facts: (server: string): ServerFacts => parts.servers.get(server) ?? {},
    port: (server: string): Pick<ServerLink, "call"> => listOf(server).link,
    /** Reads all lists for the first time. Rejects if no server answers and none of them can be connected later. */
    async open(): Promise<readonly Tool[]> {
      try {
        await readFirst();
        refuseUnmatched(names);
        isOpen = true;
        onRead();
        return catalog.tools;
      } catch (cause) {
        await close({ given: false });
        throw cause;
      }
    },
    /** Reports names of tools that no server lists, now and when lists change. Throws `invalid-options` for new ones that protect. */
    watch(more: readonly NamedTools[]): void {
      const isKnown = ({ option, pattern }: NamedTools) =>
        names.some((one) => one.option === option && one.pattern === pattern);
      const added = more.filter((one) => !isKnown(one));
      if (isOpen) refuseUnmatched(added);
      names.push(...added);
      if (added.length > 0 && isOpen) onRead();
    },
    /** Finds the tool of a call, after its server was connected and has told of all changes. With `isFresh`, its list is read again. */
    async findForCall(name: ToolName, { isFresh = false } = {}): Promise<Tool> {
      closed.throwIfAborted();
      const servers = catalog.serversOf(name) ?? [...lists.keys()];
      const needed = servers.flatMap((server) => lists.get(server) ?? []);
      const reading = needed.flatMap((list) => (isFresh ? list.read() : list.prepare()) ?? []);
      if (reading.length > 0) await Promise.all(reading);
      closed.throwIfAborted();
      const tool = catalog.find(name);
      const list = lists.get(tool.server);
      const problem = !list?.link.isOpen() && list?.failure();
      if (problem) throw unreachable(tool.id, problem);
      return tool;
    },
    /** Reads the announced changes of a server, or of all. */
    async settle(server?: string): Promise<void> {
      const settling = [...lists].filter(([name]) => server === undefined || name === server);
      await Promise.all(settling.map(([, list]) => list.settle()));
    },
    async refresh(server?: string): Promise<void> {
      const asked = server === undefined ? [...lists.keys()] : [server];
      await Promise.all(asked.map((name) => listOf(name).read()));
    },
    close: () => close({ given: true }),
  };
}

const MOST_TEXT = 32_768;

interface UnmatchedName {
  readonly problem: HostProblem;
  /**
   * True if a host is refused for it at the start: the name protects, and all servers that it may mean have answered. A pattern of
   * a known server is not refused, since it may mean tools that the server lists later, such as after a sign-in.
   */
  readonly refuses: boolean;
}

/** Finds the names in options that match no tool that a server lists, offered or not. */
function findUnmatchedNames(
  names: readonly NamedTools[],
  lists: ReadonlyMap<string, ServerList>,
): readonly UnmatchedName[] {
  const listed = [...lists].flatMap(([server, { current }]): ToolRef[] => [
    ...current().tools,
    ...current().problems.flatMap(({ tool }) => (tool === undefined ? [] : { server, name: tool })),
  ]);
  return names.flatMap(({ option, pattern, protects = false }) => {
    if (pattern === "*" || listed.some(toPattern(pattern, option))) return [];
    const meant = serversMeant(pattern, [...lists.keys()]);
    const silent = meant.filter((server) => !lists.get(server)?.hasAnswered());
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
