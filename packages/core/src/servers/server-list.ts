import { toCallError } from "../call/call-error.ts";
import { askForRequest, type Hooks } from "../call/hooks.ts";
import type { HostParts } from "../call/passage.ts";
import type { Voice } from "../call/voice.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { isUnread, RESOURCES, toolId } from "../types/tool.ts";
import { rest } from "./rest.ts";
import { createServerLink, type LinkParts } from "./server-link.ts";
import { type ReadOptions, readServerTools, type ServerTools } from "./tool-list.ts";

export interface ServerListParts
  extends Pick<HostParts, "limits" | "now" | "emit">,
    Pick<ReadOptions, "toModelName">,
    Pick<LinkParts, "source" | "closed" | "resources"> {
  readonly hooks: Hooks;
  /** Reports a problem. */
  readonly tell: Voice["tell"];
  /** A list without what the operator's screens refuse. */
  screen(list: ServerTools): Promise<ServerTools>;
  /** Told of each reading. */
  onRead(): void;
}

export type ServerList = ReturnType<typeof createServerList>;

/** The tools that one server lists. Asks the server nothing yet. */
export function createServerList(server: string, parts: ServerListParts) {
  const { limits, now, closed, emit, tell } = parts;
  let list = UNREAD;
  /** The list after its screens. */
  let offered = UNREAD;
  /** When the list no longer holds, by its server's own word (`ttlMs`, MCP 2026-07-28). */
  let staleAtMs = Number.POSITIVE_INFINITY;
  /** A change was announced, and no reading has begun since. */
  let isAnnounced = false;
  /** The reading under way, where it reads what was announced. */
  let settling: Promise<void> | undefined;
  let reading: Promise<void> | undefined;
  let queued: Promise<void> | undefined;
  let isResting = false;
  const announce = () => {
    isAnnounced = true;
    void readAndRest();
  };
  const link = createServerLink(server, {
    ...parts,
    timeoutMs: limits.callTimeoutMs,
    onState: (state) => emit?.({ type: "server", atMs: now(), server, state }),
    onChange: announce,
  });

  const ask = async (): Promise<ServerTools> => {
    const about = { method: "tools/list", server } as const;
    const asked = async () => ({
      meta: await askForRequest(parts.hooks, { name: "requestMeta", request: about }),
      headers: await askForRequest(parts.hooks, { name: "requestHeaders", request: about }),
    });
    try {
      const given = await asked().catch((cause: unknown) => {
        throw toToolrailError(cause, "`requestMeta` or `requestHeaders` failed");
      });
      const options = { ...parts, ...given };
      const read = await link.read((port) => readServerTools(server, port, options));
      if (!parts.resources) return read;
      const { modelName, ...definition } = parts.resources.define(server);
      const isTaken = read.tools.some(({ name }) => name === modelName);
      const ref = { server, name: RESOURCES };
      const shown = await parts.toModelName(isTaken ? ref : { server, name: modelName });
      const own = { ...ref, id: toolId(ref), modelName: shown, ...definition };
      return { ...read, tools: [...read.tools, own] };
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "unknown-client")) throw cause;
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      const what = `Listing the tools of server "${server}"`;
      const { message, code: why } = toCallError(cause, { what, server });
      const code = why === "needs-sign-in" ? why : "list-failed";
      if (code === why) emit?.({ type: "server", atMs: now(), server, state: code });
      return { ...list, problems: [{ server, code, message }] };
    }
  };
  const begin = async (): Promise<void> => {
    reading = queued;
    queued = undefined;
    settling = isAnnounced ? reading : undefined;
    isAnnounced = false;
    try {
      const before = list;
      const read = keepUnchanged(before, await ask());
      const screened = await parts.screen(read);
      if (closed.aborted) return;
      list = read;
      offered = screened;
      const { ttlMs = 0 } = list;
      if (ttlMs > 0) staleAtMs = now() + Math.max(ttlMs, LEAST_TTL_MS);
      parts.onRead();
      // The message may hold words of the server: it stands in `host.problems` alone.
      for (const { findings: _, message: __, ...problem } of offered.problems) {
        tell({ type: "problem", atMs: now(), problem });
      }
      const isChanged = before !== UNREAD && list.tools !== before.tools;
      if (isChanged) emit?.({ type: "tools-changed", atMs: now(), server });
    } finally {
      reading = undefined;
      settling = undefined;
    }
  };
  /** One reading at a time; all who ask during one share the next. */
  const read = (): Promise<void> => {
    queued ??= (reading ?? Promise.resolve()).catch(() => {}).then(begin);
    return queued;
  };
  /** All who ask during one reading share it. */
  const readOnce = (): Promise<void> => reading ?? read();
  /** Reads, and then rests: else a server that is down, or tells of a change with each list, is asked without end. */
  const readAndRest = async (): Promise<void> => {
    if (isResting || closed.aborted) return;
    isResting = true;
    await readOnce().catch(() => {}); // Told by a problem.
    await rest(REST_MS);
    isResting = false;
    if (isAnnounced) void readAndRest();
  };
  return {
    link,
    current: () => offered,
    /** True if the server has given a list, be it an older one. */
    hasAnswered: () => list !== UNREAD && (list.tools.length > 0 || !list.problems.some(isUnread)),
    isDown: () => !link.isOpen(),
    /** The first reading. */
    open(): Promise<void> {
      link.open();
      return readOnce();
    },
    /** Why the list could not be read, where that is so. */
    failure: () => list.problems.find(isUnread),
    read,
    readOnce,
    /** Takes it that the tools have changed: the next call waits for the list. */
    announce,
    /** Reads what was announced; `undefined` where there is no news. */
    settle: () => (isAnnounced ? read() : settling),
    /** Reads meanwhile where the list no longer holds, or the server is not connected. */
    renew(): void {
      if (closed.aborted) return;
      if (!link.isOpen()) void readAndRest();
      if (staleAtMs >= now()) return;
      staleAtMs = Number.POSITIVE_INFINITY;
      void readOnce().catch(() => {});
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
