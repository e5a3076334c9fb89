import { reasonOf } from "../call/call-error.ts";
import type { McpPort } from "../call/mcp-port.ts";
import { notify } from "../call/notify.ts";
import { RESOURCES } from "../call/offered-links.ts";
import { withOwnSignal } from "../call/until-aborted.ts";
import { ToolrailError } from "../errors.ts";
import { lostError } from "./lost-connection.ts";
import { callResources } from "./resource-tool.ts";

/** A server as its host holds it: a port for good, or one after the other. Not open, its next `list` connects it. */
export type ServerLink = Required<Omit<McpPort, "request">>;

interface LinkParts {
  /** The port; or how to make one, at first and whenever it is lost. */
  readonly source: McpPort | (() => Promise<McpPort>);
  /** Longest that connecting may take. */
  readonly timeoutMs: number;
  /** Told when a connection that was made here is there or lost. */
  onState(state: "connected" | "lost"): void;
}

/** Connects for a list and never for a call, since tools may have changed meanwhile. A lost call is not made again. */
export function createServerLink(
  server: string,
  { source, timeoutMs, onState }: LinkParts,
): ServerLink {
  const connect = typeof source === "function" ? source : undefined;
  let port = typeof source === "function" ? undefined : source;
  let listener: (() => void) | undefined;
  let stop: (() => void) | undefined;
  let isClosed = false;
  let asks = false;
  const next = connect
    ? "The next call reconnects."
    : `To have it reconnected, give the server as a function, \`servers: { ${server}: () => connect() }\`.`;

  const drop = (lost: McpPort) => {
    if (!connect || port !== lost) return;
    port = undefined;
    stop?.();
    closeQuietly(lost); // What still waits for an answer of it ends now.
    onState("lost");
  };
  const current = () => {
    if (port?.isOpen?.() === false) drop(port);
    return port;
  };
  const make = async (): Promise<McpPort> => {
    const making = Promise.resolve().then(connect);
    try {
      const made = (await withOwnSignal({ timeoutMs }, () => making)) as McpPort;
      if (isClosed) throw new ToolrailError("host-closed", "This host was closed in the meantime.");
      return made;
    } catch (cause) {
      making.then((late) => late && closeQuietly(late)).catch(() => {});
      if (ToolrailError.isInstance(cause) && cause.code !== "timeout") throw cause;
      const message = `its function in \`servers\` failed: ${reasonOf(cause)}. It is called again when the server is next needed.`;
      throw new ToolrailError("server-unavailable", message, { cause });
    }
  };
  const listAnew: McpPort["list"] = async (request, options) => {
    const made = await make();
    stop = made.watch?.(() => listener?.());
    try {
      const answer = await made.list(request, options);
      port = made;
      onState("connected");
      return answer;
    } catch (cause) {
      stop?.();
      closeQuietly(made);
      throw cause;
    }
  };
  return {
    isOpen: () => current() !== undefined,
    async list(request, options) {
      const on = current();
      if (!on) return listAnew(request, options);
      try {
        return await on.list(request, options);
      } catch (cause) {
        if (!connect || !lostError(cause, { server, next })) throw cause;
        drop(on);
        if (request.cursor !== undefined) throw cause; // A cursor of another connection.
        return listAnew(request, options);
      }
    },
    async call(request, options) {
      const on = current();
      try {
        if (!on) throw new Error("Not connected");
        if (request.name !== RESOURCES) return await on.call(request, options);
        const { uri } = request.arguments;
        return await callResources(on, { ...options, uri, meta: request.meta });
      } catch (cause) {
        const lost = lostError(cause, { server, next });
        if (lost && on) drop(on);
        throw lost ?? cause;
      }
    },
    mayAsk() {
      asks = current()?.mayAsk?.() ?? asks; // Of a lost connection, as it was.
      return asks;
    },
    watch(told) {
      listener = told;
      if (!connect) stop = port?.watch?.(told);
      return () => {
        listener = undefined;
        stop?.();
      };
    },
    instructions: () => current()?.instructions?.(),
    async close() {
      isClosed = true;
      await port?.close?.();
    },
  };
}

function closeQuietly(port: McpPort): void {
  void notify(async () => port.close?.(), undefined);
}
