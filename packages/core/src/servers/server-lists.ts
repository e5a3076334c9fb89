import { toCallError } from "../call/call-error.ts";
import type { DoorParts } from "../call/door-parts.ts";
import type { McpPort } from "../call/mcp-port.ts";
import { toolText } from "../call/tool.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import { ToolrailError } from "../errors.ts";
import { type CatalogParts, createToolCatalog, type ToolCatalog } from "./tool-catalog.ts";
import { readServerTools, type ServerTools } from "./tool-list.ts";

type FromDoor = Pick<DoorParts, "limits" | "now" | "emit">;

interface ServerListParts
  extends FromDoor,
    Pick<CatalogParts, "toModelName" | "isAllowed" | "screen"> {
  readonly ports: ReadonlyMap<string, McpPort>;
  readonly requestMeta: DoorHooks["requestMeta"];
}

/** The servers of a host and the tools they list, kept up to date. */
export interface ServerLists {
  catalog(): ToolCatalog;
  port(server: string): McpPort;
  /** The first reading. Rejects where no server answers. */
  open(): Promise<void>;
  refresh(server?: string): Promise<void>;
  /** Reads what a server has announced of its tools; `undefined` where there is no news. */
  settle(server: string): Promise<void> | undefined;
  close(): Promise<void>;
}

/** Asks the servers nothing yet. */
export function createServerLists(parts: ServerListParts): ServerLists {
  const { ports, requestMeta, limits, now, emit } = parts;
  const lists = new Map<string, ServerTools>();
  const reading = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
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

  const read = async (server: string, port: McpPort): Promise<void> => {
    const before = lists.get(server) ?? UNREAD;
    let list: ServerTools;
    let isRead = true;
    try {
      const meta = await requestMeta?.({ method: "tools/list", server });
      list = await readServerTools(server, port, { limits, meta });
    } catch (cause) {
      const { message } = toCallError(cause, { what: `Listing the tools of server "${server}"` });
      isRead = false;
      list = { tools: before.tools, problems: [{ server, code: "list-failed", message }] };
    }
    if (closed) return;
    lists.set(server, keepUnchanged(before, list));
    await rebuild();
    for (const problem of catalog.problems) {
      if (problem.server === server) emit?.({ type: "problem", atMs: now(), problem });
    }
    if (before !== UNREAD && isRead) emit?.({ type: "tools-changed", atMs: now(), server });
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
    const found = ports.get(server);
    if (found) return found;
    const message = `There is no server "${server}". Known servers: ${[...ports.keys()].join(", ")}.`;
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
    await rest();
    const again = told.get(server);
    told.delete(server);
    if (again && !closed) void onChange(server);
  };
  const leave = () => {
    closed = true;
    for (const stop of stopListening.splice(0)) stop();
  };
  return {
    catalog: () => catalog,
    port,
    async open() {
      for (const [server, opened] of ports) {
        lists.set(server, lists.get(server) ?? UNREAD);
        const stop = opened.watch?.(() => {
          announced.set(server, undefined);
          if (!closed) void onChange(server);
        });
        if (stop) stopListening.push(stop);
      }
      await Promise.all([...ports.keys()].map(refreshOne));
      const problems = [...lists.values()].flatMap((list) => list.problems);
      const failed = problems.filter(({ code }) => code === "list-failed");
      if (failed.length === ports.size) {
        const message = failed.map((problem) => problem.message).join(" ");
        leave();
        throw new ToolrailError("server-unavailable", message, { data: { problems: failed } });
      }
    },
    settle: (server) =>
      announced.has(server) ? (announced.get(server) ?? refreshOne(server)) : undefined,
    async refresh(server) {
      await Promise.all((server === undefined ? [...ports.keys()] : [server]).map(refreshOne));
    },
    async close() {
      leave();
      await Promise.allSettled([...ports.values()].map((opened) => opened.close?.()));
    },
  };
}

/** A tool that is what it was stays the same object, and with it what was compiled for it. */
function keepUnchanged(before: ServerTools, now: ServerTools): ServerTools {
  const known = new Map(before.tools.map((tool) => [JSON.stringify(tool), tool]));
  return { ...now, tools: now.tools.map((tool) => known.get(JSON.stringify(tool)) ?? tool) };
}

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

function rest(): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?: () => void } = setTimeout(resolve, REST_MS);
    timer.unref?.();
  });
}
