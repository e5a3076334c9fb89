import { isSignInNeeded, needsSignIn, reasonOf } from "../call/call-error.ts";
import type { HostReport } from "../call/events.ts";
import type { Limits } from "../call/limits.ts";
import { askForRequest, type Hooks } from "../call/plugin.ts";
import { type HostProblem, isUnread, type Tool } from "../call/tool.ts";
import { rest } from "../call/until-aborted.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { plainText } from "../json/plain-text.ts";
import { createServerLink, type LinkedServer } from "./server-link.ts";
import { readServerTools, type ServerTools } from "./tool-list.ts";

/** What the servers of a host have in common. */
export interface ServerParts {
  readonly hooks: Hooks;
  readonly limits: Limits;
  /** The servers whose names begin the names of their tools for models. */
  readonly prefixed: readonly string[];
  /** Removes the tools that the operator's tool checks refuse. */
  readonly screen: (list: ServerTools) => Promise<ServerTools>;
  readonly now: () => number;
  /** Reports an event to the listeners, if there are any. */
  readonly emit: (event: HostReport) => void;
  /** Reports a problem to the listeners, or without one on the console. */
  readonly tell: (event: HostReport) => void;
}

interface ServerListParts extends ServerParts, LinkedServer {
  readonly closed: AbortSignal;
  onRead(): void;
}

export type ServerList = ReturnType<typeof createServerList>;

/** Creates the list of one server's tools. It asks the server nothing yet. */
export function createServerList(server: string, parts: ServerListParts) {
  const { hooks, limits, now, closed, emit } = parts;
  let list = UNREAD;
  /** The time after which the list is old, by its server's `ttlMs` (MCP 2026-07-28). */
  let staleAtMs = Number.POSITIVE_INFINITY;
  /** True if a change was announced and no reading has begun since. */
  let isAnnounced = false;
  let isResting = false;
  let reading: Promise<void> | undefined;
  /** The reading after the running one. All who ask in the meantime share it. */
  let queued: Promise<void> | undefined;
  /** The last reading of an announced change. */
  let settling: Promise<void> | undefined;

  const unreadProblem = (cause: unknown): HostProblem => {
    const what = `Listing the tools of server "${server}"`;
    if (isSignInNeeded(cause)) {
      emit({ type: "server", atMs: now(), server, state: "needs-sign-in" });
      const { message } = needsSignIn(server, { what });
      return { server, code: "needs-sign-in", message };
    }
    const message = ToolrailError.isInstance(cause)
      ? `${what}: ${cause.message}`
      : plainText(`${what} failed: ${reasonOf(cause)}. Check that the server is running.`);
    return { server, code: "list-failed", message };
  };
  const show = (next: ServerTools): void => {
    list = next;
    parts.onRead();
    // The message may hold words of the server, so only `host.problems` shows it.
    for (const { findings: _, message: __, ...problem } of list.problems) {
      parts.tell({ type: "problem", atMs: now(), problem });
    }
  };
  const askPlugins = async () => {
    const request = { method: "tools/list", server } as const;
    try {
      const meta = await askForRequest(hooks, { name: "requestMeta", request });
      const headers = await askForRequest(hooks, { name: "requestHeaders", request });
      return { meta, headers };
    } catch (cause) {
      throw toToolrailError(cause, "`requestMeta` or `requestHeaders` failed");
    }
  };
  const readTools = async (): Promise<ServerTools> => {
    try {
      const options = { ...parts, ...(await askPlugins()) };
      const listed = await link.read((listPages) => readServerTools(server, listPages, options));
      return await parts.screen({ ...listed, tools: keepKnown(list.tools, listed.tools) });
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      return { ...list, problems: [unreadProblem(cause)] };
    }
  };
  const begin = async (): Promise<void> => {
    reading = queued;
    queued = undefined;
    if (isAnnounced) settling = reading?.catch(() => {});
    isAnnounced = false;
    try {
      const before = list;
      const next = closed.aborted ? list : await readTools();
      if (closed.aborted) return;
      const { ttlMs = 0 } = next;
      if (ttlMs > 0) staleAtMs = now() + Math.max(ttlMs, LEAST_TTL_MS);
      show(next);
      const isChanged = before !== UNREAD && !areSame(before.tools, next.tools);
      if (isChanged) emit({ type: "tools-changed", atMs: now(), server });
    } finally {
      reading = undefined;
    }
  };
  /** Reads after the running reading. */
  const read = (): Promise<void> => {
    queued ??= (reading ?? Promise.resolve()).catch(() => {}).then(begin);
    return queued;
  };
  /** Reads, or shares the running reading. */
  const readOnce = (): Promise<void> => reading ?? read();
  /** Reads, and then rests. Without a rest, a server that is down or announces a change with each list is asked without end. */
  const readAndRest = async (): Promise<void> => {
    if (isResting) return;
    isResting = true;
    await readOnce().catch(() => {}); // A problem reports the failure.
    await rest(REST_MS);
    isResting = false;
    if (isAnnounced) void readAndRest();
  };
  /** Reads an announced change, if there is one. */
  const settle = (): Promise<void> | undefined => (isAnnounced ? read() : settling);
  const link = createServerLink({
    ...parts,
    timeoutMs: limits.callTimeoutMs,
    onState: (state) => emit({ type: "server", atMs: now(), server, state }),
    onChange() {
      isAnnounced = true; // The next call waits for the list.
      void readAndRest();
    },
    onSignIn(cause) {
      if (list.problems.some(({ code }) => code === "needs-sign-in")) return;
      show({ ...list, problems: [unreadProblem(cause)] });
    },
  });
  return {
    link,
    read,
    readOnce,
    settle,
    current: () => list,
    /** Reads what a call of these tools has to know: the list of a server that is not connected, and an announced change. */
    prepare: (): Promise<void> | undefined => (link.isOpen() ? settle() : readOnce()),
    /** True if the server has ever given a list. */
    hasAnswered: () => list !== UNREAD && (list.tools.length > 0 || !list.problems.some(isUnread)),
    /** The problem that kept the list from being read, if there is one. */
    failure: () => list.problems.find(isUnread),
    /** Reads in the background if the list is old or the server is not connected. */
    renew(): void {
      if (!link.isOpen()) void readAndRest();
      if (staleAtMs >= now()) return;
      staleAtMs = Number.POSITIVE_INFINITY;
      void readOnce().catch(() => {});
    },
  };
}

/** Keeps the objects of unchanged tools, and with them what was compiled for them. */
function keepKnown(before: readonly Tool[], tools: readonly Tool[]): readonly Tool[] {
  const known = new Map(before.map((tool) => [JSON.stringify(tool), tool]));
  return tools.map((tool) => known.get(JSON.stringify(tool)) ?? tool);
}

function areSame(before: readonly Tool[], tools: readonly Tool[]): boolean {
  return tools.length === before.length && tools.every((tool, at) => tool === before[at]);
}

const UNREAD: ServerTools = { tools: [], problems: [] };
const REST_MS = 200;
const LEAST_TTL_MS = 1_000;
