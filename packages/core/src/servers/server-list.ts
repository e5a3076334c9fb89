import { toCallError } from "../call/call-error.ts";
import type { DoorParts } from "../call/door-parts.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { rest } from "./rest.ts";
import type { ServerLink } from "./server-link.ts";
import { type ReadOptions, readServerTools, type ServerTools } from "./tool-list.ts";

export interface ServerListParts
  extends Pick<DoorParts, "limits" | "now">,
    Pick<ReadOptions, "toModelName" | "readsResources"> {
  readonly link: ServerLink;
  readonly hooks: Pick<DoorHooks, "requestMeta" | "requestHeaders">;
  /** Told of each reading, and waited for. */
  onRead(isChanged: boolean): Promise<void>;
}

export type ServerList = ReturnType<typeof createServerList>;

/** The tools that one server lists. Asks the server nothing yet. */
export function createServerList(server: string, parts: ServerListParts) {
  const { link, limits, now, toModelName, readsResources } = parts;
  let list = UNREAD;
  /** When the list no longer holds, by its server's own word (`ttlMs`, MCP 2026-07-28). */
  let staleAtMs = Number.POSITIVE_INFINITY;
  /** A change was announced, and no reading has begun since. */
  let isAnnounced = false;
  /** The reading of what was announced. */
  let settling: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;
  let shared: Promise<void> | undefined;
  let isResting = false;
  let isClosed = false;
  let stopWatching = () => {};

  const ask = async (): Promise<ServerTools> => {
    try {
      const about = { method: "tools/list", server } as const;
      const asked = async () => ({
        meta: await parts.hooks.requestMeta?.(about),
        headers: await parts.hooks.requestHeaders?.(about),
      });
      const given = await asked().catch((cause: unknown) => {
        throw toToolrailError(cause, "`requestMeta` or `requestHeaders` failed");
      });
      const options = { limits, ...given, toModelName, readsResources };
      return await readServerTools(server, link, options);
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "unknown-client")) throw cause;
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      const { message } = toCallError(cause, { what: `Listing the tools of server "${server}"` });
      return { ...list, problems: [{ server, code: "list-failed", message }] };
    }
  };
  const begin = async (): Promise<void> => {
    const own = queued;
    queued = undefined;
    if (isAnnounced) settling = own;
    isAnnounced = false;
    try {
      const before = list;
      const read = keepUnchanged(before, await ask());
      if (isClosed) return;
      list = read;
      const { ttlMs = 0 } = list;
      if (ttlMs > 0) staleAtMs = now() + Math.max(ttlMs, LEAST_TTL_MS);
      await parts.onRead(before !== UNREAD && list.tools !== before.tools);
    } finally {
      if (settling === own) settling = undefined;
    }
  };
  /** One reading at a time; all who ask during one share the next. */
  const read = (): Promise<void> => {
    queued ??= last.then(begin);
    last = queued.catch(() => {}); // Those who asked for it are told.
    return queued;
  };
  /** All who ask during one reading share it. */
  const readOnce = (): Promise<void> => {
    shared ??= read().finally(() => {
      shared = undefined;
    });
    return shared;
  };
  /** Reads, and then rests: else a server that is down, or tells of a change with each list, is asked without end. */
  const readAndRest = async (): Promise<void> => {
    if (isResting || isClosed) return;
    isResting = true;
    await readOnce().catch(() => {}); // Told by a problem.
    await rest(REST_MS);
    isResting = false;
    if (isAnnounced) void readAndRest();
  };
  return {
    link,
    current: () => list,
    isDown: () => !link.isOpen(),
    /** The first reading. */
    open(): Promise<void> {
      stopWatching = link.watch(() => {
        isAnnounced = true;
        void readAndRest();
      });
      return readOnce();
    },
    /** Why the list could not be read, where that is so. */
    failure: () => list.problems.find(({ code }) => code === "list-failed"),
    read,
    readOnce,
    /** Reads what was announced; `undefined` where there is no news. */
    settle: () => (isAnnounced ? read() : settling),
    /** Reads meanwhile where the list no longer holds, or the server is not connected. */
    renew(): void {
      if (isClosed) return;
      if (!link.isOpen()) void readAndRest();
      if (staleAtMs >= now()) return;
      staleAtMs = Number.POSITIVE_INFINITY;
      void readOnce().catch(() => {});
    },
    leave(): void {
      isClosed = true;
      stopWatching();
    },
  };
}

/** A list or tool that is what it was stays the same object, and with it what was compiled for it. */
function keepUnchanged(before: ServerTools, now: ServerTools): ServerTools {
  if (before === UNREAD) return now;
  const known = new Map(before.tools.map((tool) => [JSON.stringify(tool), tool]));
  const tools = now.tools.map((tool) => known.get(JSON.stringify(tool)) ?? tool);
  const isSame =
    tools.length === before.tools.length && tools.every((tool, at) => tool === before.tools[at]);
  return { ...now, tools: isSame ? before.tools : tools };
}

const UNREAD: ServerTools = { tools: [], problems: [] };
const REST_MS = 200;
const LEAST_TTL_MS = 1_000;
