import {
  httpStatus,
  isSignInNeeded,
  readFailure,
  reasonOf,
  SessionLost,
} from "../call/call-error.ts";
import type {
  ListRequest,
  McpPort,
  PortOptions,
  ServerFacts,
  ToolCallRequest,
} from "../call/port.ts";
import { rest, withOwnSignal } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";

/** The port of a server, or a function that makes one, at first and whenever it is lost. */
export type PortSource = McpPort | ((signal: AbortSignal) => Promise<McpPort>);

/** Reads one page of a server's tools. */
export type ListPages = (request: ListRequest, options: PortOptions) => Promise<unknown>;

/** A server as a host uses it. */
export interface LinkedServer extends ServerFacts {
  readonly source: PortSource;
  /** If true, its client is left open. */
  readonly shared?: boolean | undefined;
}

interface LinkParts extends LinkedServer {
  /** The longest time that connecting may take. */
  readonly timeoutMs: number;
  /** Aborts when the host is closed. */
  readonly closed: AbortSignal;
  /** Runs when a connection that was made here opens or is lost. */
  onState(state: "connected" | "lost"): void;
  onChange(): void;
  /** Runs when a call was refused because the user has to sign in first. */
  onSignIn(cause: unknown): void;
}

/** A port in use. One that is given up is closed when its last request has ended, since requests over HTTP are independent. */
interface Connection {
  readonly port: McpPort;
  readonly stopWatching: (() => void) | undefined;
  /** True if it was opened with a session. A client may drop it by itself. */
  readonly hadSession: boolean;
  requests: number;
  isGivenUp: boolean;
}

export type ServerLink = ReturnType<typeof createServerLink>;

/** Links a host with one server. It connects for a reading and never for a call, since the tools may have changed. It sends no call twice. */
export function createServerLink(parts: LinkParts) {
  const { source, shared, timeoutMs, closed, onState, onChange } = parts;
  const given = typeof source === "function" ? undefined : source;
  const connections = new Set<Connection>();
  let current: Connection | undefined;

  const closePort = async (port: McpPort) => {
    if (!shared) await port.close?.();
  };
  const closeQuietly = (port: McpPort) => closePort(port).catch(() => {});
  const add = (port: McpPort): Connection => {
    const stopWatching = port.watch?.(onChange);
    const hadSession = hasSession(port);
    const connection = { port, stopWatching, hadSession, requests: 0, isGivenUp: false };
    connections.add(connection);
    return connection;
  };
  const closeIfIdle = (connection: Connection) => {
    if (!connection.isGivenUp || connection.requests > 0) return;
    if (connections.delete(connection)) void closeQuietly(connection.port);
  };
  const giveUp = (connection: Connection) => {
    if (given || connection.isGivenUp) return;
    connection.isGivenUp = true;
    connection.stopWatching?.();
    closeIfIdle(connection);
    if (connection !== current) return;
    current = undefined;
    onState("lost");
  };
  const open = (): Connection | undefined => {
    if (current?.port.isOpen?.() === false) giveUp(current);
    return current;
  };
  /** Uses a connection for a request, within its time. */
  const request = async (
    connection: Connection,
    options: PortOptions,
    send: (port: McpPort, options: PortOptions) => Promise<unknown>,
  ): Promise<unknown> => {
    const { port } = connection;
    const isInSession = hasSession(port);
    if (connection.hadSession && !isInSession) {
      giveUp(connection);
      throw new SessionLost("its client has dropped it");
    }
    connection.requests++;
    try {
      return await withOwnSignal(options, (signal) => send(port, { ...options, signal }));
    } catch (cause) {
      const status = isInSession ? httpStatus(cause) : undefined;
      // Many servers answer 400 to a session that they have forgotten. They may also mean something else by it.
      const isDoubtful = status === 404 || status === 400;
      if (isDoubtful || (!options.signal?.aborted && isLost(port, cause))) giveUp(connection);
      throw status === 404 ? new SessionLost(reasonOf(cause), { cause }) : cause;
    } finally {
      connection.requests--;
      closeIfIdle(connection);
    }
  };
  const pagesOf =
    (connection: Connection): ListPages =>
    (asked, options) =>
      request(connection, options, (port, bounded) => port.list(asked, bounded));

  const connect = async (make: Exclude<PortSource, McpPort>): Promise<McpPort> => {
    let connecting: Promise<McpPort> | undefined;
    try {
      return await withOwnSignal({ timeoutMs, signal: closed }, (signal) => {
        connecting = Promise.resolve(signal).then(make);
        return connecting;
      });
    } catch (thrown) {
      connecting?.then(closeQuietly, () => {});
      closed.throwIfAborted();
      // The error of a function whose time is up describes best what was late.
      const late = rest(CONNECT_ERROR_MS).then(() => thrown);
      const own = connecting?.then(
        () => thrown,
        (cause: unknown) => cause,
      );
      const cause = await Promise.race([late, own]);
      if (isSignInNeeded(cause)) throw cause;
      if (ToolrailError.isInstance(cause) && cause.code !== "timeout") throw cause;
      const message = `its function in \`servers\` failed: ${reasonOf(cause)}. It is called again when the server is next needed.`;
      throw new ToolrailError("server-unavailable", message, { cause });
    }
  };
  if (given) current = add(given);
  return {
    isOpen: () => open() !== undefined,
    /** Reads lists. It connects first if the server is not connected, and reads again if the connection is lost while reading. */
    async read<T>(read: (list: ListPages) => Promise<T>): Promise<T> {
      const opened = open();
      try {
        if (opened) return await read(pagesOf(opened));
      } catch (cause) {
        if (open() || closed.aborted) throw cause;
      }
      if (typeof source !== "function") throw new Error("Not connected");
      const connection = add(await connect(source));
      try {
        const answer = await read(pagesOf(connection));
        closed.throwIfAborted();
        current = connection;
        onState("connected");
        return answer;
      } catch (cause) {
        giveUp(connection);
        throw cause;
      }
    },
    async call(asked: ToolCallRequest, options: PortOptions): Promise<unknown> {
      const connection = open();
      if (!connection) throw new Error("Not connected");
      try {
        return await request(connection, options, (port, bounded) => port.call(asked, bounded));
      } catch (cause) {
        if (isSignInNeeded(cause)) parts.onSignIn(cause);
        throw cause;
      }
    },
    instructions: () => open()?.port.instructions?.(),
    /** Stops watching, and closes the ports that were made here. A port that the application gave is closed only on request. */
    async close(which: { readonly given: boolean }): Promise<void> {
      const closing = [...connections].map(async ({ port, stopWatching }) => {
        stopWatching?.();
        if (port !== given || which.given) await closePort(port);
      });
      connections.clear();
      await Promise.all(closing);
    },
  };
}

/** How long to wait for the error of a function whose time is up. */
const CONNECT_ERROR_MS = 200;

/** True if a port can send nothing more. Without `isOpen`, every request without an answer is a sign of that, but its own time. */
function isLost(port: McpPort, cause: unknown): boolean {
  if (ToolrailError.isInstance(cause)) return false;
  const failure = readFailure(cause);
  if (failure !== "unanswered") return failure === "unsent";
  return port.isOpen ? !port.isOpen() : httpStatus(cause) === undefined;
}

function hasSession(port: McpPort): boolean {
  return port.hasSession?.() === true;
}
