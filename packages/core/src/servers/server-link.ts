import { isSessionForgotten, isSignInNeeded, reasonOf } from "../call/call-error.ts";
import { notify } from "../call/notify.ts";
import { rest, withOwnSignal } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";
import type { McpPort, PortOptions, ToolCallRequest } from "../types/port.ts";
import { lostError } from "./lost-connection.ts";

/** The port of a server, or a function that makes one, at first and whenever it is lost. */
export type PortSource = McpPort | ((signal: AbortSignal) => Promise<McpPort>);

export interface LinkParts {
  readonly source: PortSource;
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

export type ServerLink = ReturnType<typeof createServerLink>;

/** Links a host with one server. It connects for a reading and never for a call, since the tools may have changed. It sends no call twice. */
export function createServerLink(server: string, parts: LinkParts) {
  const { source, timeoutMs, closed, onState, onChange } = parts;
  const connect = typeof source === "function" ? source : undefined;
  let port = typeof source === "function" ? undefined : source;
  /** A new port that nothing was read from yet. */
  let opening: McpPort | undefined;
  let stop: (() => void) | undefined;
  const next = connect
    ? "The next call reconnects."
    : `To have it reconnected, give the server as a function, \`servers: { ${server}: () => connect() }\`.`;

  const drop = (lost: McpPort, cause?: unknown) => {
    if (!connect || port !== lost) return;
    port = undefined;
    stop?.();
    // Requests that still wait end with the port. If the session was forgotten, they first receive the same error.
    if (isSessionForgotten(cause)) void rest(CLOSE_DELAY_MS).then(() => closeQuietly(lost));
    else closeQuietly(lost);
    onState("lost");
  };
  const current = () => {
    if (port?.isOpen?.() === false) drop(port);
    return port;
  };
  const throwIfClosed = () => {
    if (!closed.aborted) return;
    throw new ToolrailError("host-closed", "This host was closed in the meantime.");
  };
  const connectPort = async (): Promise<McpPort> => {
    let making: Promise<McpPort | undefined> = Promise.resolve(undefined);
    try {
      const newPort = await withOwnSignal({ timeoutMs, signal: closed }, (signal) => {
        making = Promise.resolve(signal).then(connect);
        return making;
      });
      throwIfClosed();
      return newPort as McpPort;
    } catch (thrown) {
      making.then((late) => late && closeQuietly(late)).catch(() => {});
      throwIfClosed();
      const cause = await connectError(making, thrown);
      if (isSignInNeeded(cause)) throw cause;
      if (ToolrailError.isInstance(cause) && cause.code !== "timeout") throw cause;
      const message = `its function in \`servers\` failed: ${reasonOf(cause)}. It is called again when the server is next needed.`;
      throw new ToolrailError("server-unavailable", message, { cause });
    }
  };
  const connectAndRead = async <T>(read: (port: McpPort) => Promise<T>): Promise<T> => {
    const newPort = await connectPort();
    opening = newPort;
    stop = newPort.watch?.(onChange);
    try {
      const answer = await read(newPort);
      throwIfClosed();
      port = newPort;
      onState("connected");
      return answer;
    } catch (cause) {
      stop?.();
      if (opening) closeQuietly(opening);
      throw cause;
    } finally {
      opening = undefined;
    }
  };
  return {
    /** Watches a port that the application gave. */
    open(): void {
      if (!connect) stop = port?.watch?.(onChange);
    },
    isOpen: () => current() !== undefined,
    /** Reads with the port. It connects first if the port is not open, and reads again if the connection is lost while reading. */
    async read<T>(read: (port: McpPort) => Promise<T>): Promise<T> {
      const openPort = current();
      if (!openPort) return connectAndRead(read);
      try {
        return await read(openPort);
      } catch (cause) {
        if (!connect && openPort.reopen && isSessionForgotten(cause)) {
          await withOwnSignal({ timeoutMs }, async () => openPort.reopen?.());
          return read(openPort);
        }
        if (!connect || !lostError(cause, { server, next })) throw cause;
        drop(openPort, cause);
        return connectAndRead(read);
      }
    },
    async call(request: ToolCallRequest, options: PortOptions): Promise<unknown> {
      const openPort = current();
      try {
        if (!openPort) throw new Error("Not connected");
        return await openPort.call(request, options);
      } catch (cause) {
        if (isSignInNeeded(cause)) parts.onSignIn(cause);
        const lost = lostError(cause, { server, next });
        if (lost && openPort) drop(openPort, cause);
        throw lost ?? cause;
      }
    },
    instructions: () => current()?.instructions?.(),
    /** Stops watching, and closes a port that was made here. A port that the application gave is closed only on request. */
    async close({ given }: { readonly given: boolean }): Promise<void> {
      stop?.();
      const openPort = connect || given ? (port ?? opening) : undefined;
      opening = undefined;
      await openPort?.close?.();
    },
  };
}

/** Waits a moment for the error of a function whose time is up: it describes best what was late. */
function connectError(making: Promise<unknown>, thrown: unknown): Promise<unknown> {
  const failure = making.then(
    () => thrown,
    (cause: unknown) => cause,
  );
  return Promise.race([failure, rest(CONNECT_ERROR_MS).then(() => thrown)]);
}

const CONNECT_ERROR_MS = 200;
const CLOSE_DELAY_MS = 1_000;

function closeQuietly(port: McpPort): void {
  void notify(async () => port.close?.(), undefined);
}
