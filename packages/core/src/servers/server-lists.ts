import { untilAborted } from "../call/until-aborted.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { NamedTools, Tool, ToolName } from "../types/tool.ts";
import { findUnmatchedNames } from "./named-tools.ts";
import type { PortSource, ServerLink } from "./server-link.ts";
import { createServerList, type ServerList, type ServerListParts } from "./server-list.ts";
import { type CatalogParts, createToolCatalog, unreachable } from "./tool-catalog.ts";

interface ServerListsParts
  extends Omit<ServerListParts, "source" | "closed" | "onRead">,
    Pick<CatalogParts, "isAllowed"> {
  readonly named: readonly NamedTools[];
  readonly sources: ReadonlyMap<string, PortSource>;
  /** Receives the tools that may be called, after each reading. */
  onTools(tools: readonly Tool[]): void;
}

export type ServerLists = ReturnType<typeof createServerLists>;

/** Creates the tool lists of all servers of a host, and keeps them up to date. It asks the servers nothing yet. */
export function createServerLists(parts: ServerListsParts) {
  let catalog = createToolCatalog({ ...parts, servers: new Map() });
  const { tell, now } = parts;
  const names = [...parts.named];
  let isOpen = false;
  let reported: ReadonlySet<string> = new Set();
  const closing = new AbortController();
  const closed = closing.signal;

  /** Compares the names in the options with the lists. Throws for a name that protects nothing if the host is not open yet. */
  const readNames = () => {
    const answered = [...lists].map(([server, { current, hasAnswered }]) => {
      return [server, { ...current(), hasAnswered: hasAnswered() }] as const;
    });
    const unmatched = findUnmatchedNames(names, new Map(answered));
    const wrong = isOpen ? [] : unmatched.filter(({ refuses }) => refuses);
    if (wrong.length > 0) {
      throw invalidOptions(wrong.map(({ problem }) => problem.message).join(" "));
    }
    const problems = unmatched.map(({ problem }) => problem);
    for (const problem of problems) {
      if (!reported.has(problem.message)) tell({ type: "problem", atMs: now(), problem });
    }
    reported = new Set(problems.map(({ message }) => message));
    return problems;
  };
  const watch = (more: readonly NamedTools[]): void => {
    const added = more.filter(
      (one) =>
        !names.some(({ option, pattern }) => one.option === option && one.pattern === pattern),
    );
    names.push(...added);
    if (added.length > 0 && isOpen) onRead();
  };
  const onRead = (): void => {
    const servers = new Map([...lists].map(([server, { current }]) => [server, current()]));
    catalog = createToolCatalog({ ...parts, servers, ofNames: isOpen ? readNames() : [] });
    parts.onTools(catalog.tools);
  };
  const lists: ReadonlyMap<string, ServerList> = new Map(
    [...parts.sources].map(([server, source]) => {
      return [server, createServerList(server, { ...parts, source, closed, onRead })];
    }),
  );
  const listOf = (server: string): ServerList => {
    if (closed.aborted)
      throw new ToolrailError("host-closed", "This host is closed; create a new one.");
    const list = lists.get(server);
    if (list !== undefined) return list;
    const hint = suggestName(server, [...lists.keys()]);
    throw invalidOptions(`There is no server "${server}". ${hint}`);
  };
  const serverOf = (name: string) =>
    catalog.tools.find((tool) => tool.id === name || tool.name === name)?.server ??
    [...lists.keys()].find((server) => name.startsWith(`${server}.`));
  const isAnyDown = () => {
    for (const list of lists.values()) if (list.isDown()) return true;
    return false;
  };
  const close = async (which: { readonly given: boolean }): Promise<void> => {
    closing.abort();
    await Promise.allSettled([...lists.values()].map(({ link }) => link.close(which)));
  };
  const readFirst = async (): Promise<void> => {
    const all = [...lists.values()];
    await Promise.all(all.map((list) => list.open()));
    const problems = all.flatMap((list) => list.failure() ?? []);
    if (problems.length < all.length || all.some((list) => list.isDown())) return;
    const message = problems.map((problem) => problem.message).join(" ");
    const [first] = problems;
    if (first && problems.every(({ code }) => code === "needs-sign-in")) {
      throw new ToolrailError("needs-sign-in", message, { data: { server: first.server } });
    }
    throw new ToolrailError("server-unavailable", message, { data: { problems } });
  };
  return {
    /** Returns the tools that were last read. Unconnected servers and old lists are tried again in the background. */
    catalog() {
      for (const list of lists.values()) list.renew();
      return catalog;
    },
    /** Finds a tool, as `find` of the catalog. Throws `server-unavailable` also if the server could not be connected again. */
    find(name: ToolName): Tool {
      const tool = catalog.find(name);
      const list = lists.get(tool.server);
      const down = list?.isDown() && list.failure();
      if (!down) return tool;
      throw unreachable(tool.id, down);
    },
    instructions(): Readonly<Record<string, string>> {
      const texts = [...lists].map(([server, { link }]) => {
        const text = link.instructions();
        return typeof text === "string" ? [[server, text.slice(0, MOST_TEXT)]] : [];
      });
      return Object.fromEntries(texts.flat());
    },
    port: (server: string): Pick<ServerLink, "call" | "next"> => listOf(server).link,
    /** Reads all lists for the first time. Rejects if no server answers and none of them can be connected later. */
    async open(): Promise<void> {
      try {
        await readFirst();
        readNames();
        isOpen = true;
        onRead();
      } catch (cause) {
        await close({ given: false });
        throw cause;
      }
    },
    /** Reports names of tools that no server lists, now and when lists change. */
    watch,
    /** Connects the servers that this tool needs. Returns `undefined` if all are connected. `find` reports what still fails. */
    wake(name: ToolName, signal: AbortSignal | undefined): Promise<unknown> | undefined {
      if (closed.aborted || !isAnyDown()) return undefined;
      const down = [...lists].filter(([, list]) => list.isDown());
      const needed = typeof name === "string" ? serverOf(name) : name.server;
      const readings = down.flatMap(([server, list]) =>
        needed === undefined || needed === server ? list.readOnce() : [],
      );
      return untilAborted(Promise.all(readings), signal).catch(() => {});
    },
    /** Notes that the tools of all servers have changed. Lists are read in the background. */
    announce(): void {
      for (const list of lists.values()) list.announce();
    },
    /** Reads a server's announced change. Returns `undefined` if there is none. */
    settle: (server: string) => (closed.aborted ? undefined : lists.get(server)?.settle()),
    settleAll(): Promise<unknown> | undefined {
      const news = [...lists.values()].flatMap((list) => list.settle() ?? []);
      return closed.aborted || news.length === 0 ? undefined : Promise.all(news);
    },
    async refresh(server?: string): Promise<void> {
      const asked = server === undefined ? [...lists.keys()] : [server];
      await Promise.all(asked.map((name) => listOf(name).read()));
    },
    close: () => close({ given: true }),
  };
}

const MOST_TEXT = 32_768;
