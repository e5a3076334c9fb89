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
import { SdkPort } from "./sdk-port.ts";

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

/** Links a host with one server. It connects for a reading and never for a call, since the tools may have changed. It sends no call twice. */
export class ServerLink {
  readonly #parts: LinkParts;
  /** All whose ports are not closed. */
  readonly #connections = new Set<Connection>();
  #current: Connection | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    if (typeof parts.source !== "function") this.#current = this.#add(parts.source);
  }

  isOpen(): boolean {
    return this.#open() !== undefined;
  }

  instructions(): string | undefined {
    return this.#open()?.port.instructions?.();
  }

  /** Reads lists. It connects first if the server is not connected, and reads again if the connection is lost while reading. */
  async read<T>(read: (list: ListPages) => Promise<T>): Promise<T> {
    const { closed } = this.#parts;
    closed.throwIfAborted();
    const connection = this.#open();
    if (!connection) return this.#connectAndRead(read);
    try {
      return await read(this.#pagesOf(connection));
    } catch (cause) {
      if (this.isOpen() || closed.aborted) throw cause;
      return this.#connectAndRead(read);
    }
  }

  async call(asked: ToolCallRequest, options: PortOptions): Promise<unknown> {
    const connection = this.#open();
    if (!connection) throw new Error("Not connected");
    try {
      return await this.#request(connection, options, (port, bounded) => port.call(asked, bounded));
    } catch (cause) {
      if (isSignInNeeded(cause)) this.#parts.onSignIn(cause);
      throw cause;
    }
  }

  /** Stops watching, and closes the ports that were made here. A port that the application gave is closed only on request. */
  async close(which: { readonly given: boolean }): Promise<void> {
    const { source } = this.#parts;
    const closing = [...this.#connections].map(async ({ port, stopWatching }) => {
      stopWatching?.();
      if (port !== source || which.given) await this.#closePort(port);
    });
    this.#connections.clear();
    await Promise.all(closing);
  }

  #open(): Connection | undefined {
    if (this.#current?.port.isOpen?.() === false) this.#giveUp(this.#current);
    return this.#current;
  }

  #add(port: McpPort): Connection {
    const stopWatching = port.watch?.(this.#parts.onChange);
    const hadSession = hasSession(port);
    const connection = { port, stopWatching, hadSession, requests: 0, isGivenUp: false };
    this.#connections.add(connection);
    return connection;
  }

  #pagesOf(connection: Connection): ListPages {
    return (asked, options) =>
      this.#request(connection, options, (port, bounded) => port.list(asked, bounded));
  }

  /** Uses a connection for a request, within its time. */
  async #request(
    connection: Connection,
    options: PortOptions,
    send: (port: McpPort, options: PortOptions) => Promise<unknown>,
  ): Promise<unknown> {
    const { port } = connection;
    const isInSession = hasSession(port);
    if (connection.hadSession && !isInSession) {
      this.#giveUp(connection);
      throw new SessionLost("its client has dropped it");
    }
    connection.requests++;
    try {
      // The clients of the SDKs end a request themselves when its time is up.
      if (port instanceof SdkPort) return await send(port, options);
      return await withOwnSignal(options, (signal) => send(port, { ...options, signal }));
    } catch (cause) {
      if (options.signal?.aborted) throw cause;
      throw this.#judge(connection, { cause, isInSession });
    } finally {
      connection.requests--;
      this.#closeIfIdle(connection);
    }
  }

  /** Gives up a connection if the failure of a request says that it is lost. */
  #judge(
    connection: Connection,
    { cause, isInSession }: { readonly cause: unknown; readonly isInSession: boolean },
  ): unknown {
    const status = isInSession ? httpStatus(cause) : undefined;
    // Many servers answer 400 to a session that they have forgotten. They may also mean something else by it.
    const isForgotten = status === 404 || status === 400;
    if (isForgotten || isLost(connection.port, cause)) this.#giveUp(connection);
    return status === 404 ? new SessionLost(reasonOf(cause), { cause }) : cause;
  }

  #giveUp(connection: Connection): void {
    const { source, onState } = this.#parts;
    if (connection.port === source || connection.isGivenUp) return;
    connection.isGivenUp = true;
    connection.stopWatching?.();
    this.#closeIfIdle(connection);
    if (connection !== this.#current) return;
    this.#current = undefined;
    onState("lost");
  }

  #closeIfIdle(connection: Connection): void {
    if (!connection.isGivenUp || connection.requests > 0) return;
    if (this.#connections.delete(connection)) this.#closeQuietly(connection.port);
  }

  async #connectAndRead<T>(read: (list: ListPages) => Promise<T>): Promise<T> {
    const connection = this.#add(await this.#connect());
    try {
      const answer = await read(this.#pagesOf(connection));
      this.#parts.closed.throwIfAborted();
      this.#current = connection;
      this.#parts.onState("connected");
      return answer;
    } catch (cause) {
      this.#giveUp(connection);
      throw cause;
    }
  }

  async #connect(): Promise<McpPort> {
    const { source, timeoutMs, closed } = this.#parts;
    if (typeof source !== "function") throw new Error("Not connected");
    let connecting: Promise<McpPort> | undefined;
    try {
      return await withOwnSignal({ timeoutMs, signal: closed }, (signal) => {
        connecting = source(signal);
        return connecting;
      });
    } catch (cause) {
      const ended = connecting?.then(
        (late) => this.#closeQuietly(late),
        (own: unknown) => own,
      );
      // The error of a function whose time is up describes best what was late.
      throw (await Promise.race([ended, rest(OWN_ERROR_MS)])) ?? cause;
    }
  }

  async #closePort(port: McpPort): Promise<void> {
    if (!this.#parts.shared) await port.close?.();
  }

  #closeQuietly(port: McpPort): void {
    this.#closePort(port).catch(() => {});
  }
}

/** How long to wait for the error of a function whose time is up. */
const OWN_ERROR_MS = 200;

/** True if a port can send nothing more. Without `isOpen`, every request without an answer is a sign of that, but its own time. */
function isLost(port: McpPort, cause: unknown): boolean {
  if (ToolrailError.isInstance(cause)) return false;
  const failure = readFailure(cause);
  return failure === "unsent" || (failure === "unanswered" && !port.isOpen?.());
}

function hasSession(port: McpPort): boolean {
  return port.hasSession?.() === true;
}
