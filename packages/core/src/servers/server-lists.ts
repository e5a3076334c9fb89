import type { DoorParts } from "../call/door-parts.ts";
import type { McpPort } from "../call/mcp-port.ts";
import { type HostTool, type ToolName, toolText } from "../call/tool.ts";
import { untilAborted } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";
import type { ServerLink } from "./server-link.ts";
import { createServerList, type ServerList, type ServerListParts } from "./server-list.ts";
import { type CatalogParts, createToolCatalog, type ToolCatalog } from "./tool-catalog.ts";

interface ServerListsParts
  extends Omit<ServerListParts, "link" | "onRead">,
    Pick<DoorParts, "emit">,
    Pick<CatalogParts, "isAllowed" | "named" | "screen"> {
  readonly links: ReadonlyMap<string, ServerLink>;
  /** Told of the tools that may be called, whenever lists were read. */
  onTools(tools: readonly HostTool[]): void;
}

export type ServerLists = ReturnType<typeof createServerLists>;

/** The servers of a host and the tools they list, kept up to date. Asks the servers nothing yet. */
export function createServerLists(parts: ServerListsParts) {
  const { links, now, emit } = parts;
  let catalog: ToolCatalog = EMPTY;
  let begun = 0;
  let built = 0;
  let isClosed = false;

  const lists: ReadonlyMap<string, ServerList> = new Map(
    [...links].map(([server, link]) => {
      const onRead = (isChanged: boolean) => rebuild(server, isChanged);
      return [server, createServerList(server, { ...parts, link, onRead })];
    }),
  );
  /** Screens take time: a catalog that was begun later holds newer lists, and none of before replaces it. */
  const rebuild = async (server: string, isChanged: boolean): Promise<void> => {
    const turn = ++begun;
    const servers = new Map([...lists].map(([name, { current }]) => [name, current()]));
    const made = await createToolCatalog({ ...parts, servers });
    if (turn > built) {
      built = turn;
      catalog = made;
      parts.onTools(made.tools);
    }
    for (const { message: _, findings: __, ...problem } of catalog.problems) {
      if (problem.server === server) emit?.({ type: "problem", atMs: now(), problem });
    }
    if (isChanged) emit?.({ type: "tools-changed", atMs: now(), server });
  };
  const listOf = (server: string): ServerList => {
    if (isClosed) throw new ToolrailError("host-closed", "This host is closed; create a new one.");
    const list = lists.get(server);
    if (list !== undefined) return list;
    const message = `There is no server "${server}". Known servers: ${[...lists.keys()].join(", ")}.`;
    throw new ToolrailError("invalid-options", message);
  };
  const serverOf = (name: string) =>
    catalog.tools.find((tool) => tool.id === name || tool.name === name)?.server ??
    [...lists.keys()].find((server) => name.startsWith(`${server}.`));
  const isAnyDown = () => {
    for (const list of lists.values()) if (list.isDown()) return true;
    return false;
  };
  const leave = () => {
    isClosed = true;
    for (const list of lists.values()) list.leave();
  };
  const readFirst = async (): Promise<void> => {
    const all = [...lists.values()];
    await Promise.all(all.map((list) => list.open()));
    const problems = all.flatMap((list) => list.failure() ?? []);
    if (problems.length < all.length || all.some((list) => list.isDown())) return;
    const message = problems.map((problem) => problem.message).join(" ");
    throw new ToolrailError("server-unavailable", message, { data: { problems } });
  };
  return {
    /** The tools as they were last read. What is not connected, and lists that no longer hold, are tried again meanwhile. */
    catalog() {
      for (const list of lists.values()) list.renew();
      return catalog;
    },
    /** As `find` of the catalog. Throws `server-unavailable` also where the server could not be connected again. */
    find(name: ToolName): HostTool {
      const tool = catalog.find(name);
      const list = lists.get(tool.server);
      const down = list?.isDown() && list.failure();
      if (!down) return tool;
      // Why stands in the problem: a model may read this.
      const message = `${tool.id} was not called: its server cannot be reached at the moment. Try again later.`;
      throw new ToolrailError("server-unavailable", message, { data: { problems: [down] } });
    },
    /** What connected servers say of their use. */
    instructions(): Readonly<Record<string, string>> {
      const said = [...links].map(([server, link]) => [server, link.instructions()] as const);
      const texts = said.filter((entry): entry is [string, string] => typeof entry[1] === "string");
      return Object.fromEntries(texts.map(([server, text]) => [server, text.slice(0, MOST_TEXT)]));
    },
    port: (server: string): Pick<McpPort, "call"> => listOf(server).link,
    /** The first reading. Rejects where no server answers and none of them can be connected later. */
    open: () =>
      readFirst().catch((cause) => {
        leave();
        throw cause;
      }),
    /** Connects what this tool needs and reads its list; `undefined` where all is there. What still fails, `find` says. */
    wake(name: ToolName, signal: AbortSignal | undefined): Promise<unknown> | undefined {
      if (isClosed || !isAnyDown()) return undefined;
      const down = [...lists].filter(([, list]) => list.isDown());
      const needed = typeof name === "string" ? serverOf(name) : name.server;
      const readings = down.flatMap(([server, list]) =>
        needed === undefined || needed === server ? list.readOnce() : [],
      );
      return untilAborted(Promise.all(readings), signal).catch(() => {});
    },
    /** Reads what a server has announced of its tools; `undefined` where there is no news. */
    settle: (server: string) => (isClosed ? undefined : lists.get(server)?.settle()),
    async refresh(server?: string): Promise<void> {
      const asked = server === undefined ? [...lists.keys()] : [server];
      await Promise.all(asked.map((name) => listOf(name).read()));
    },
    async close(): Promise<void> {
      leave();
      await Promise.allSettled([...links.values()].map((link) => link.close()));
    },
  };
}

const MOST_TEXT = 32_768;

const EMPTY: ToolCatalog = {
  tools: [],
  problems: [],
  has: () => false,
  find(name) {
    const message = `The tools of this host have not been read yet, so ${toolText(name)} cannot be found.`;
    throw new ToolrailError("unknown-tool", message);
  },
};
