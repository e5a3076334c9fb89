import { toCallError } from "../call/call-error.ts";
import type { DoorParts } from "../call/door-parts.ts";
import type { McpPort } from "../call/mcp-port.ts";
import { type HostTool, type ToolName, toolText } from "../call/tool.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import { untilAborted } from "../call/until-aborted.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { rest } from "./rest.ts";
import type { ServerLink } from "./server-link.ts";
import { type CatalogParts, createToolCatalog, type ToolCatalog } from "./tool-catalog.ts";
import { readServerTools, type ServerTools } from "./tool-list.ts";

type FromDoor = Pick<DoorParts, "limits" | "now" | "emit">;

interface ServerListParts
  extends FromDoor,
    Pick<CatalogParts, "toModelName" | "isAllowed" | "named" | "screen"> {
  readonly links: ReadonlyMap<string, ServerLink>;
  readonly requestMeta: DoorHooks["requestMeta"];
}

/** The servers of a host and the tools they list, kept up to date. */
export interface ServerLists {
  /** The tools as they were last read. What is not connected, and lists that no longer hold, are tried again meanwhile. */
  catalog(): ToolCatalog;
  /** As `find` of the catalog. Throws `server-unavailable` also where the server could not be connected again. */
  find(tool: ToolName): HostTool;
  port(server: string): McpPort;
  /** The first reading. Rejects where no server answers and none of them can be connected later. */
  open(): Promise<void>;
  /** Connects what this tool needs and reads its list; `undefined` where all is there. What still fails, `find` says. */
  wake(tool: ToolName, signal: AbortSignal | undefined): Promise<unknown> | undefined;
  refresh(server?: string): Promise<void>;
  /** Reads what a server has announced of its tools; `undefined` where there is no news. */
  settle(server: string): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Asks the servers nothing yet. */
export function createServerLists(parts: ServerListParts): ServerLists {
  const { links, requestMeta, limits, now, emit } = parts;
  const lists = new Map<string, ServerTools>();
  const reading = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  /** When a list no longer holds, by its server's own word (`ttlMs`, MCP 2026-07-28). */
  const staleAt = new Map<string, number>();
  /** Servers that have announced a change, and the reading of it once that has begun. */
  const announced = new Map<string, Promise<void> | undefined>();
  let catalog: ToolCatalog = EMPTY;
  const known = new WeakMap();
  let builds = 0;
  let built = 0;
  let closed = false;

  /** Screens take time: a catalog that was begun later holds newer lists, and none of before replaces it. */
  const rebuild = async (): Promise<void> => {
    const turn = ++builds;
    const made = await createToolCatalog({ ...parts, servers: new Map(lists), known });
    if (turn < built) return;
    built = turn;
    catalog = made;
  };

  const askMeta = async (server: string) => requestMeta?.({ method: "tools/list", server });
  const read = async (server: string, port: McpPort): Promise<void> => {
    const before = lists.get(server) ?? UNREAD;
    let list: ServerTools;
    try {
      const meta = await askMeta(server).catch((cause: unknown) => {
        throw toToolrailError(cause, "`requestMeta` failed");
      });
      list = await readServerTools(server, port, { limits, meta });
    } catch (cause) {
      if (ToolrailError.isInstance(cause) && MISUSE.includes(cause.code)) throw cause;
      const { message } = toCallError(cause, { what: `Listing the tools of server "${server}"` });
      list = { ...before, problems: [{ server, code: "list-failed", message }] };
    }
    if (closed) return;
    const kept = keepUnchanged(before, list);
    lists.set(server, kept);
    const { ttlMs = 0 } = list;
    if (ttlMs > 0) staleAt.set(server, now() + Math.max(ttlMs, LEAST_TTL_MS));
    await rebuild();
    for (const { message: _, findings: __, ...problem } of catalog.problems) {
      if (problem.server === server) emit?.({ type: "problem", atMs: now(), problem });
    }
    const isChanged = before !== UNREAD && kept.tools !== before.tools;
    if (isChanged) emit?.({ type: "tools-changed", atMs: now(), server });
  };
  /** One reading of a server at a time; all who ask during one share the next. */
  const refreshOne = (server: string): Promise<void> => {
    const opened = port(server);
    const queued = waiting.get(server);
    if (queued !== undefined) return queued;
    const last = reading.get(server) ?? Promise.resolve();
    const next = last
      .catch(() => {}) // Those who asked for it were told.
      .then(() => {
        waiting.delete(server);
        reading.set(server, next);
        if (announced.has(server)) announced.set(server, next);
        return read(server, opened);
      })
      .finally(() => void (announced.get(server) === next && announced.delete(server)));
    waiting.set(server, next);
    return next;
  };
  const port = (server: string): McpPort => {
    if (closed) throw new ToolrailError("host-closed", "This host is closed; make a new one.");
    const found = links.get(server);
    if (found) return found;
    const message = `There is no server "${server}". Known servers: ${[...links.keys()].join(", ")}.`;
    throw new ToolrailError("invalid-options", message);
  };
  const stopListening: (() => void)[] = [];
  const told = new Map<string, boolean>();
  /** Reads at once, and then rests: a server that tells of a change with each list would never end. */
  const onChange = async (server: string): Promise<void> => {
    const isResting = told.has(server);
    told.set(server, isResting);
    if (isResting) return;
    await refreshOne(server).catch(() => {});
    await rest(REST_MS);
    const again = told.get(server);
    told.delete(server);
    if (again && !closed) void onChange(server);
  };
  const connecting = new Map<string, Promise<void>>();
  /** All who need a server at once share one attempt. */
  const connect = (server: string): Promise<void> => {
    const attempt =
      connecting.get(server) ?? refreshOne(server).finally(() => connecting.delete(server));
    connecting.set(server, attempt);
    return attempt;
  };
  const isDown = (server: string) => links.get(server)?.isOpen() === false;
  const serverOf = (name: string) =>
    catalog.tools.find((tool) => tool.id === name || tool.name === name)?.server ??
    [...links.keys()].find((server) => name.startsWith(`${server}.`));
  const failureOf = (server: string) =>
    lists.get(server)?.problems.find(({ code }) => code === "list-failed");
  const retried = new Set<string>();
  /** Tries again what is not connected, now and then. */
  const retry = async (server: string): Promise<void> => {
    if (closed || retried.has(server) || !isDown(server)) return;
    retried.add(server);
    await connect(server).catch(() => {}); // Told by a problem.
    await rest(REST_MS);
    retried.delete(server);
  };
  const leave = () => {
    closed = true;
    for (const stop of stopListening.splice(0)) stop();
  };
  return {
    catalog() {
      if (catalog !== EMPTY) for (const server of links.keys()) void retry(server);
      for (const [server, at] of closed ? [] : staleAt) {
        if (at < now() && staleAt.delete(server)) void refreshOne(server).catch(() => {});
      }
      return catalog;
    },
    find(name) {
      const tool = catalog.find(name);
      const down = isDown(tool.server) && failureOf(tool.server);
      if (!down) return tool;
      // Why stands in the problem: a model may read this.
      const message = `${tool.id} was not called: its server cannot be reached now. Try again later.`;
      throw new ToolrailError("server-unavailable", message, { data: { problems: [down] } });
    },
    port,
    wake(name, signal) {
      const down = [...links.keys()].filter(isDown);
      if (closed || down.length === 0) return undefined;
      const server = typeof name === "string" ? serverOf(name) : name.server;
      const needed = down.filter((one) => server === undefined || one === server);
      return untilAborted(Promise.all(needed.map(connect)), signal).catch(() => {});
    },
    async open() {
      for (const [server, link] of links) {
        lists.set(server, lists.get(server) ?? UNREAD);
        const stop = link.watch(() => {
          announced.set(server, undefined);
          if (!closed) void onChange(server);
        });
        stopListening.push(stop);
      }
      await Promise.all([...links.keys()].map(connect)).catch((cause) => {
        leave();
        throw cause;
      });
      const failed = [...links.keys()].flatMap((server) => failureOf(server) ?? []);
      if (failed.length === links.size && ![...links.keys()].some(isDown)) {
        const message = failed.map((problem) => problem.message).join(" ");
        leave();
        throw new ToolrailError("server-unavailable", message, { data: { problems: failed } });
      }
    },
    settle: (server) =>
      announced.has(server) ? (announced.get(server) ?? refreshOne(server)) : undefined,
    async refresh(server) {
      await Promise.all((server === undefined ? [...links.keys()] : [server]).map(refreshOne));
    },
    async close() {
      leave();
      await Promise.allSettled([...links.values()].map((link) => link.close()));
    },
  };
}

/** A list or tool that is what it was stays the same object, and with it what was compiled for it. */
function keepUnchanged(before: ServerTools, now: ServerTools): ServerTools {
  const known = new Map(before.tools.map((tool) => [JSON.stringify(tool), tool]));
  const tools = now.tools.map((tool) => known.get(JSON.stringify(tool)) ?? tool);
  const isSame =
    tools.length === before.tools.length && tools.every((tool, at) => tool === before.tools[at]);
  return { ...now, tools: isSame ? before.tools : tools };
}

/** Codes that a function in `servers` throws where the application has to be changed. */
const MISUSE: readonly string[] = ["unknown-client", "invalid-options"];

const UNREAD: ServerTools = { tools: [], problems: [] };

const EMPTY: ToolCatalog = {
  tools: [],
  problems: [],
  has: () => false,
  find(name) {
    const message = `The tools of this host have not been read yet, so ${toolText(name)} cannot be found.`;
    throw new ToolrailError("unknown-tool", message);
  },
};

const REST_MS = 200;
const LEAST_TTL_MS = 1_000;
