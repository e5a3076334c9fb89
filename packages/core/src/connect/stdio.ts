import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { notify } from "../call/events.ts";
import { SERVER_FACTS, type ServerFacts } from "../call/port.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { engineOf } from "../host/engine.ts";
import type { ConnectedServer, ConnectServer } from "../host/host-options.ts";
import { name, readShape } from "../json/shape.ts";
import { connectClient, describeFailure, loadSdk, loadStdio } from "./connect-client.ts";
import type { Protocol } from "./http.ts";

/** The options of a server that is a local program. */
export interface StdioOptions extends ServerFacts {
  /** The environment variables of the program, in addition to the few that the SDK passes on, such as `HOME` and `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory of the program. Default: that of this process. */
  readonly cwd?: string;
  /** Receives the standard error of the program, in pieces. Default: only the error for a failed start shows the end of it. */
  readonly onStderr?: (text: string) => void;
  /**
   * The MCP revision. `"auto"` uses 2026-07-28 if the server supports it, which needs SDK v2. Default: `"2025-11-25"`, or an
   * older revision if the server supports only that.
   */
  readonly protocol?: Protocol;
}

const check = /* @__PURE__ */ createOptionCheck<StdioOptions>("stdio", {
  env: "object",
  cwd: "text",
  onStderr: "function",
  ...SERVER_FACTS,
  protocol: /* @__PURE__ */ oneOf("2025-11-25", "2026-07-28", "auto"),
});

const FORM = 'list of arguments, as in stdio("npx", ["-y", "some-server"])';
const PROGRAM = /* @__PURE__ */ z.object({
  command: name,
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
});

/**
 * Creates a server for `createHost` from a program that uses MCP over its standard input and output. The host starts it
 * without a shell when it is first needed and again after it has ended, and ends it with the host. Needs Node.
 */
export function stdio(
  command: string,
  args: readonly string[] = [],
  options: StdioOptions = {},
): ConnectedServer {
  check(options);
  const { env = {}, cwd, onStderr, protocol, ...facts } = options;
  const { defect } = readShape(PROGRAM, { command, args, env });
  if (defect) throw invalidOptions(`stdio() takes a command and a ${FORM}: ${defect}.`);
  const program = { command, ...(cwd !== undefined && { cwd }), stderr: "pipe" } as const;
  const client: ConnectServer = async (host, connecting) => {
    const sdk = await loadSdk();
    const Transport = await loadStdio(sdk);
    const transport = new Transport({ ...program, args: [...args], env: { ...env } });
    const decoder = new TextDecoder();
    let stderr = "";
    transport.stderr?.on("data", (chunk: Uint8Array) => {
      const text = decoder.decode(chunk, { stream: true });
      stderr = (stderr + text).slice(-MAX_STDERR);
      if (onStderr) void notify({ onStderr }, text, engineOf(host));
    });
    const giveUp = watchStart(transport);
    try {
      return await connectClient(sdk, { ...connecting, transport, protocol, giveUp });
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      // The arguments are left out, since they may contain secrets.
      const message = `the program "${command}" ${describeStart(cause, { command, stderr })}`;
      throw new ToolrailError("server-unavailable", message, { cause });
    }
  };
  return { ...facts, client };
}

/**
 * Returns what ends a program that could not be connected, at once and also if its client is already closing the transport, which
 * takes seconds. A connected program may have work to finish.
 */
function watchStart(transport: StdioClientTransport): () => Promise<void> {
  let pid: number | null = null;
  transport.onclose = () => {
    pid = null;
  };
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    pid = transport.pid;
  };
  return async () => {
    try {
      if (pid !== null) process.kill(pid);
    } finally {
      await transport.close(); // It kills a program that does not end.
    }
  };
}

/** The most characters kept of a program's standard error. */
const MAX_STDERR = 1_000;

/** Describes why a program could not be connected. */
function describeStart(
  cause: unknown,
  { command, stderr }: { readonly command: string; readonly stderr: string },
): string {
  const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT";
  const hint = /\s/.test(command) ? ` Give it a ${FORM}.` : "";
  const why = isMissing
    ? `cannot be started: there is no such program, or no such folder.${hint}`
    : `${describeFailure([cause])}.`;
  return stderr.trim() ? `${why} It wrote to its stderr:\n${stderr.trim()}` : why;
}
