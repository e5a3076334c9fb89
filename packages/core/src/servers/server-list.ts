import { isSignInNeeded, needsSignIn, reasonOf } from "../call/call-error.ts";
import { askForRequest, type Hooks } from "../call/hooks.ts";
import type { HostParts } from "../call/host-parts.ts";
import { rest } from "../call/until-aborted.ts";
import type { Voice } from "../call/voice.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { plainText } from "../json/plain-text.ts";
import { type HostProblem, isUnread } from "../types/tool.ts";
import { createServerLink, type LinkParts } from "./server-link.ts";
import { type ReadOptions, readServerTools, type ServerTools } from "./tool-list.ts";

export interface ServerListParts
  extends Pick<HostParts, "limits" | "now" | "emit">,
    Pick<ReadOptions, "toModelName">,
    Pick<LinkParts, "source" | "closed"> {
  readonly hooks: Hooks;
  readonly tell: Voice["tell"];
  /** Removes the tools that the operator's tool checks refuse. */
  readonly screen: ((list: ServerTools) => Promise<ServerTools>) | undefined;
  onRead(): void;
}

export type ServerList = ReturnType<typeof createServerList>;

/** Creates the list of one server's tools. It asks the server nothing yet. */
export function createServerList(server: string, parts: ServerListParts) {
  const { limits, now, closed, emit, tell } = parts;
  let list = UNREAD;
  /** The list without the refused tools. */
  let offered = UNREAD;
  /** The time after which the list is old, by its server's `ttlMs` (MCP 2026-07-28). */
  let staleAtMs = Number.POSITIVE_INFINITY;
  /** True if a change was announced and no reading has begun since. */
  let isAnnounced = false;
  /** The running reading, if it reads an announced change. */
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
    onSignIn(cause) {
      if (list.problems.some(({ code }) => code === "needs-sign-in")) return;
      const problem = unreadProblem(cause);
      list = { ...list, problems: [problem] };
      offered = { ...offered, problems: [problem] };
      parts.onRead();
      tellProblems();
    },
  });
  const unreadProblem = (cause: unknown): HostProblem => {
    const what = `Listing the tools of server "${server}"`;
    if (!isSignInNeeded(cause)) {
      return { server, code: "list-failed", message: failureText(cause, what) };
    }
    emit?.({ type: "server", atMs: now(), server, state: "needs-sign-in" });
    const { message } = needsSignIn(server, { what });
    return { server, code: "needs-sign-in", message };
  };
  const tellProblems = () => {
    // The message may hold words of the server, so only `host.problems` shows it.
    for (const { findings: _, message: __, ...problem } of offered.problems) {
      tell({ type: "problem", atMs: now(), problem });
    }
  };

  const readTools = async (): Promise<ServerTools> => {
    const request = { method: "tools/list", server } as const;
    const askPlugins = async () => ({
      meta: await askForRequest(parts.hooks, { name: "requestMeta", request }),
      headers: await askForRequest(parts.hooks, { name: "requestHeaders", request }),
    });
    try {
      const extras = await askPlugins().catch((cause: unknown) => {
        throw toToolrailError(cause, "`requestMeta` or `requestHeaders` failed");
      });
      const options = { ...parts, ...extras };
      return await link.read((listPages) => readServerTools(server, listPages, options));
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "unknown-client")) throw cause;
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      return { ...list, problems: [unreadProblem(cause)] };
    }
  };
  const begin = async (): Promise<void> => {
    reading = queued;
    queued = undefined;
    settling = isAnnounced ? reading : undefined;
    isAnnounced = false;
    try {
      const before = list;
      const read = keepUnchanged(before, await readTools());
      const screened = parts.screen ? await parts.screen(read) : read;
      if (closed.aborted) return;
      list = read;
      offered = screened;
      const { ttlMs = 0 } = list;
      if (ttlMs > 0) staleAtMs = now() + Math.max(ttlMs, LEAST_TTL_MS);
      parts.onRead();
      tellProblems();
      const isChanged = before !== UNREAD && list.tools !== before.tools;
      if (isChanged) emit?.({ type: "tools-changed", atMs: now(), server });
    } finally {
      reading = undefined;
      settling = undefined;
    }
  };
  /** Reads after the running reading. All who ask during one reading share the next. */
  const read = (): Promise<void> => {
    queued ??= (reading ?? Promise.resolve()).catch(() => {}).then(begin);
    return queued;
  };
  /** Reads, or shares the running reading. */
  const readOnce = (): Promise<void> => reading ?? read();
  /** Reads, and then rests. Without a rest, a server that is down or announces a change with each list is asked without end. */
  const readAndRest = async (): Promise<void> => {
    if (isResting || closed.aborted) return;
    isResting = true;
    await readOnce().catch(() => {}); // A problem reports the failure.
    await rest(REST_MS);
    isResting = false;
    if (isAnnounced) void readAndRest();
  };
  return {
    link,
    current: () => offered,
    /** True if the server has ever given a list. */
    hasAnswered: () => list !== UNREAD && (list.tools.length > 0 || !list.problems.some(isUnread)),
    isDown: () => !link.isOpen(),
    /** Reads the list for the first time. */
    open(): Promise<void> {
      link.open();
      return readOnce();
    },
    /** The problem that kept the list from being read, if there is one. */
    failure: () => list.problems.find(isUnread),
    read,
    readOnce,
    /** Notes that the tools have changed: the next call waits for the list. */
    announce,
    /** Reads an announced change. Returns `undefined` if there is none. */
    settle: () => (isAnnounced ? read() : settling),
    /** Reads in the background if the list is old or the server is not connected. */
    renew(): void {
      if (closed.aborted) return;
      if (!link.isOpen()) void readAndRest();
      if (staleAtMs === Number.POSITIVE_INFINITY || staleAtMs >= now()) return;
      staleAtMs = Number.POSITIVE_INFINITY;
      void readOnce().catch(() => {});
    },
  };
}

/** Keeps the objects of an unchanged list and of unchanged tools, and with them what was compiled for them. */
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

function failureText(cause: unknown, what: string): string {
  if (ToolrailError.isInstance(cause)) return `${what}: ${cause.message}`;
  return plainText(`${what} failed: ${reasonOf(cause)}. Check that the server is running.`);
}
