import { ToolrailError } from "../errors.ts";
import { toCallError } from "./call-error.ts";
import type { HostEvent } from "./events.ts";
import type { HostOptions } from "./host-options.ts";
import type { Limits } from "./limits.ts";
import { type McpPort, toPort } from "./mcp-client.ts";
import type { HostProblem, HostTool } from "./tool.ts";
import { createToolCatalog, type ToolCatalog, type ToolScreen } from "./tool-catalog.ts";
import { readServerTools, type ServerTools } from "./tool-list.ts";

interface ServerListParts {
  readonly options: Pick<HostOptions, "servers" | "requestMeta">;
  readonly limits: Limits;
  readonly isAllowed: (tool: HostTool) => boolean;
  readonly screen: ToolScreen;
  readonly now: () => number;
  readonly emit: ((event: HostEvent) => void) | undefined;
}

/** The servers of a host and the tools they list, kept up to date. */
export interface ServerLists {
  catalog(): ToolCatalog;
  port(server: string): McpPort;
  /** The first reading. Rejects where no server answers. */
  open(): Promise<void>;
  refresh(server?: string): Promise<void>;
  close(): Promise<void>;
}

/** Throws `invalid-options` or `unknown-client`; asks the servers nothing yet. */
export function createServerLists(parts: ServerListParts): ServerLists {
  const { options, limits, isAllowed, screen, now, emit } = parts;
  const ports = new Map(
    Object.entries(options.servers).map(([name, option]) => [name, toPort(name, option)]),
  );
  if (ports.size === 0 || ports.has("")) {
    throw new ToolrailError("invalid-options", "`servers` needs at least one client, by a name.");
  }
  const lists = new Map<string, ServerTools>();
  const reading = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  let catalog = createToolCatalog(lists, isAllowed, screen);
  let closed = false;

  const read = async (server: string, port: McpPort): Promise<void> => {
    const before = lists.get(server);
    let list: ServerTools;
    let isRead = true;
    try {
      const meta = await options.requestMeta?.({ method: "tools/list", server });
      list = await readServerTools(server, port, limits, meta);
    } catch (cause) {
      const { message } = toCallError(cause, `Listing the tools of server "${server}"`);
      const problem: HostProblem = { server, code: "list-failed", message };
      isRead = false;
      list = { tools: before?.tools ?? [], problems: [problem] };
    }
    if (closed) return;
    lists.set(server, before ? keepUnchanged(before, list) : list);
    catalog = createToolCatalog(
      new Map([...ports.keys()].flatMap((name) => entryOf(lists, name))),
      isAllowed,
      screen,
    );
    for (const problem of catalog.problems) {
      if (problem.server === server) emit?.({ type: "problem", atMs: now(), problem });
    }
    if (before && isRead) emit?.({ type: "tools-changed", atMs: now(), server });
  };
  /** One reading of a server at a time; all who ask during one share the next. */
  const refreshOne = (server: string): Promise<void> => {
    const opened = port(server);
    const queued = waiting.get(server);
    if (queued !== undefined) return queued;
    const current = reading.get(server);
    const start = () => {
      waiting.delete(server);
      const done = read(server, opened).finally(() => {
        if (reading.get(server) === done) reading.delete(server);
      });
      reading.set(server, done);
      return done;
    };
    if (current === undefined) return start();
    const next = current.then(start, start);
    waiting.set(server, next);
    return next;
  };
  const port = (server: string): McpPort => {
    if (closed) throw new ToolrailError("host-closed", "This host is closed; make a new one.");
    const found = ports.get(server);
    if (found) return found;
    const known = [...ports.keys()].join(", ");
    throw new ToolrailError(
      "invalid-options",
      `There is no server "${server}"; known are ${known}.`,
    );
  };
  const stopListening: (() => void)[] = [];
  const told = new Map<string, boolean>();
  /** Reads at once, and then rests: a server that tells of a change with each list would never end. */
  const onChange = async (server: string): Promise<void> => {
    if (told.has(server)) {
      told.set(server, true);
      return;
    }
    do {
      told.set(server, false);
      await refreshOne(server).catch(() => {});
      await rest();
    } while (told.get(server) && !closed);
    told.delete(server);
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
        stopListening.push(opened.onToolsChanged(() => void (closed || onChange(server))));
      }
      await Promise.all([...ports.keys()].map(refreshOne));
      const failed = [...lists.values()].flatMap(({ problems }) =>
        problems.filter(({ code }) => code === "list-failed"),
      );
      if (failed.length === ports.size) {
        const message = failed.map((problem) => problem.message).join(" ");
        leave();
        throw new ToolrailError("server-unavailable", message, { data: failed });
      }
    },
    async refresh(server) {
      await Promise.all((server === undefined ? [...ports.keys()] : [server]).map(refreshOne));
    },
    async close() {
      leave();
      await Promise.allSettled([...ports.values()].map((opened) => opened.close()));
    },
  };
}

/** A definition that is what it was stays the same object, and with it what was compiled for it. */
function keepUnchanged(before: ServerTools, now: ServerTools): ServerTools {
  const known = new Map(before.tools.map((tool) => [JSON.stringify(tool.definition), tool]));
  const tools = now.tools.map((tool) => known.get(JSON.stringify(tool.definition)) ?? tool);
  return { ...now, tools };
}

const REST_MS = 200;

function rest(): Promise<void> {
  return new Promise((resolve) => {
    const timer: { unref?: () => void } = setTimeout(resolve, REST_MS);
    timer.unref?.();
  });
}

function entryOf(lists: ReadonlyMap<string, ServerTools>, name: string): [string, ServerTools][] {
  const list = lists.get(name);
  return list ? [[name, list]] : [];
}
