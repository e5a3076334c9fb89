import { isSessionForgotten, isSignInNeeded, reasonOf } from "../call/call-error.ts";
import { notify } from "../call/notify.ts";
import { withOwnSignal } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";
import type { ResourceTool } from "../types/plugin.ts";
import type { McpPort, PortOptions, ToolCallRequest } from "../types/port.ts";
import { RESOURCES } from "../types/tool.ts";
import { lostError } from "./lost-connection.ts";
import { rest } from "./rest.ts";

/** The port of a server, for good; or how to make one, at first and whenever it is lost. */
export type PortSource = McpPort | ((signal: AbortSignal) => Promise<McpPort>);

export interface LinkParts {
  readonly source: PortSource;
  /** Longest that connecting may take. */
  readonly timeoutMs: number;
  /** Aborted when the host is closed. */
  readonly closed: AbortSignal;
  readonly resources?: ResourceTool | undefined;
  /** Told when a connection that was made here is there or lost. */
  onState(state: "connected" | "lost"): void;
  /** Told when the server announces a change of its tools. */
  onChange(): void;
}

export type ServerLink = ReturnType<typeof createServerLink>;

/** Connects for a reading and never for a call, since tools may have changed meanwhile. It sends no call twice. */
export function createServerLink(server: string, parts: LinkParts) {
  const { source, timeoutMs, closed, resources, onState, onChange } = parts;
  const connect = typeof source === "function" ? source : undefined;
  let port = typeof source === "function" ? undefined : source;
  /** A port that was made and has not been read from. */
  let opening: McpPort | undefined;
  let stop: (() => void) | undefined;
  let asks = false;
  const next = connect
    ? "The next call reconnects."
    : `To have it reconnected, give the server as a function, \`servers: { ${server}: () => connect() }\`.`;

  const drop = (lost: McpPort, cause?: unknown) => {
    if (!connect || port !== lost) return;
    port = undefined;
    stop?.();
    // What still waits for an answer ends with it. Calls beside one whose session was forgotten get to hear the same first.
    if (isSessionForgotten(cause)) void rest(FAREWELL_MS).then(() => closeQuietly(lost));
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
  const make = async (): Promise<McpPort> => {
    let making: Promise<McpPort | undefined> = Promise.resolve(undefined);
    try {
      const made = await withOwnSignal({ timeoutMs, signal: closed }, (signal) => {
        making = Promise.resolve(signal).then(connect);
        return making;
      });
      throwIfClosed();
      return made as McpPort;
    } catch (given) {
      making.then((late) => late && closeQuietly(late)).catch(() => {});
      throwIfClosed();
      const cause = await ownWords(making, given);
      if (isSignInNeeded(cause)) throw cause;
      if (ToolrailError.isInstance(cause) && cause.code !== "timeout") throw cause;
      const message = `its function in \`servers\` failed: ${reasonOf(cause)}. It is called again when the server is next needed.`;
      throw new ToolrailError("server-unavailable", message, { cause });
    }
  };
  const readAnew = async <T>(read: (port: McpPort) => Promise<T>): Promise<T> => {
    const made = await make();
    opening = made;
    stop = made.watch?.(onChange);
    try {
      const answer = await read(made);
      throwIfClosed();
      port = made;
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
    /** Watches a port that was given. */
    open(): void {
      if (!connect) stop = port?.watch?.(onChange);
    },
    isOpen: () => current() !== undefined,
    /** Reads with the port, connected where it is not open; once more where it is lost meanwhile. */
    async read<T>(read: (port: McpPort) => Promise<T>): Promise<T> {
      const on = current();
      if (!on) return readAnew(read);
      try {
        return await read(on);
      } catch (cause) {
        if (!connect && on.reopen && isSessionForgotten(cause)) {
          await withOwnSignal({ timeoutMs }, async () => on.reopen?.());
          return read(on);
        }
        if (!connect || !lostError(cause, { server, next })) throw cause;
        drop(on, cause);
        return readAnew(read);
      }
    },
    async call(request: ToolCallRequest, options: PortOptions): Promise<unknown> {
      const on = current();
      try {
        if (!on) throw new Error("Not connected");
        if (request.name !== RESOURCES) return await on.call(request, options);
        return await resources?.call(on, { request, options });
      } catch (cause) {
        const lost = lostError(cause, { server, next });
        if (lost && on) drop(on, cause);
        throw lost ?? cause;
      }
    },
    mayAsk(): boolean {
      asks = current()?.mayAsk?.() ?? asks; // Of a lost connection, as it was.
      return asks;
    },
    instructions: () => current()?.instructions?.(),
    /** Watches no longer, and closes a port that was made here; one that was given only on request. */
    async close({ given }: { readonly given: boolean }): Promise<void> {
      stop?.();
      const on = connect || given ? (port ?? opening) : undefined;
      opening = undefined;
      await on?.close?.();
    },
  };
}

/** The error of a function that looked at its signal, if it comes soon: it says best what was late. */
function ownWords(making: Promise<unknown>, given: unknown): Promise<unknown> {
  const own = making.then(
    () => given,
    (cause: unknown) => cause,
  );
  return Promise.race([own, rest(OWN_WORDS_MS).then(() => given)]);
}

const OWN_WORDS_MS = 200;
const FAREWELL_MS = 1_000;

function closeQuietly(port: McpPort): void {
  void notify(async () => port.close?.(), undefined);
}
