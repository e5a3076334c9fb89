import type { ChildProcess } from "node:child_process";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { notify } from "../call/events.ts";
import { SERVER_FACTS, type ServerFacts } from "../call/port.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { engineOf } from "../host/engine.ts";
import type { ConnectedServer, ConnectServer } from "../host/host-options.ts";
import { name, readShape } from "../json/shape.ts";
import { connectClient, describeFailure, loadSdk } from "./connect-client.ts";
import type { Protocol } from "./http.ts";

/** The options of a server that is a local program. */
export interface StdioOptions extends ServerFacts {
  /** The environment variables of the program, in addition to the few that the SDK passes on, such as `HOME` and `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The working directory of the program. Default: that of this process. */
  readonly cwd?: string;
  /**
   * Receives the standard error of the program, in pieces, and lines of its standard output that are not MCP messages.
   * Default: only the error for a failed start shows the end of it.
   */
  readonly onOutput?: (text: string, stream: "stderr" | "stdout") => void;
  /**
   * The MCP revision. `"auto"` uses 2026-07-28 if the server supports it, which needs SDK v2. Default: `"2025-11-25"`, or an
   * older revision if the server supports only that.
   */
  readonly protocol?: Protocol;
}

const check = /* @__PURE__ */ createOptionCheck<StdioOptions>("stdio", {
  env: "object",
  cwd: "text",
  onOutput: "function",
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
  const { env = {}, cwd, onOutput, protocol, ...facts } = options;
  const { defect } = readShape(PROGRAM, { command, args, env });
  if (defect) throw invalidOptions(`stdio() takes a command and a ${FORM}: ${defect}.`);
  const program = { command, ...(cwd !== undefined && { cwd }), stderr: "pipe" } as const;
  const client: ConnectServer = async (host, connecting) => {
    const sdk = await loadSdk();
    const { StdioClientTransport: Transport } = await sdk.loadStdio();
    if (!Transport) {
      throw invalidOptions(
        "stdio() starts a program, which only Node can. Reach the server by its address: http(url).",
      );
    }
    const transport = new Transport({ ...program, args: [...args], env: { ...env } });
    const { state, ...watching } = watchProgram(transport, (...said) => {
      if (onOutput) void notify({ onOutput: () => onOutput(...said) }, said, engineOf(host));
    });
    try {
      return await connectClient(sdk, { ...connecting, transport, protocol, ...watching });
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      // The arguments are left out, since they may contain secrets.
      const message = `the program "${command}" ${describeStart(cause, { command, ...state })}`;
      throw new ToolrailError("server-unavailable", message, { cause });
    }
  };
  return { ...facts, client };
}

/** The process of a transport. It is private in both SDKs (1.32.2, 2.4.0), which offer no other way to learn how a program ended. */
const processOf = (transport: StdioClientTransport) =>
  (transport as unknown as { readonly _process?: ChildProcess })._process;

/** What is known of a program, for errors. */
interface ProgramState {
  /** The exit code, or the signal that ended the program. Absent while it runs. */
  ended?: number | string;
  /** The end of its standard error. */
  stderr: string;
  /** The first line of its standard output that is not an MCP message. */
  stray?: string;
}

/** Records what becomes of a program, and passes on what it writes besides messages. */
function watchProgram(
  transport: StdioClientTransport,
  say: (text: string, stream: "stderr" | "stdout") => void,
) {
  const state: ProgramState = { stderr: "" };
  const addStray = (line: string) => {
    state.stray ??= line;
    say(line, "stdout");
  };
  const decoder = new TextDecoder();
  transport.stderr?.on("data", (chunk: Uint8Array) => {
    const text = decoder.decode(chunk, { stream: true });
    state.stderr = (state.stderr + text).slice(-MAX_STDERR);
    say(text, "stderr");
  });
  const start = transport.start.bind(transport);
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> | undefined;
  transport.start = async () => {
    await start();
    child = processOf(transport);
    if (!child) return; // It was closed in the meantime.
    child.stdout?.on("data", readStrayLines(addStray));
    exited = new Promise((resolve) => child?.once("exit", resolve));
    child.once("exit", (code, signal) => {
      if (processOf(transport) === undefined) return; // The client is closing it.
      const ended = code ?? signal ?? "unknown";
      state.ended = ended;
      // This error must come before the SDK's own, since the pending calls end with the first one.
      const error = new Error(`its program ${describeEnd(ended)}`);
      transport.onerror?.(Object.assign(error, { code: ended }));
    });
  };
  return {
    state,
    /** Receives the client's errors outside of requests. */
    onError(error: Error): void {
      if (error.name === "ZodError") addStray("JSON that is not a JSON-RPC message");
    },
    /** Ends a program that could not be connected at once. A connected one may have work to finish. */
    async giveUp(): Promise<void> {
      child?.kill();
      await transport.close(); // It kills a program that does not end.
      await exited;
    },
  };
}

/** Finds lines that do not begin like a message. Only the beginnings are kept, since messages may be long. */
function readStrayLines(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let begun = "";
  return (chunk) => {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split("\n");
    begun = (lines.pop() ?? "").slice(0, MAX_LINE);
    for (const line of lines) {
      if (/^\s*[^\s{[]/.test(line)) onLine(line.trim().slice(0, MAX_LINE));
    }
  };
}

/** The most characters kept of a line that is not a message, and of the standard error. */
const MAX_LINE = 200;
const MAX_STDERR = 1_000;

function describeEnd(ended: number | string): string {
  return `ended with ${typeof ended === "number" ? "exit code" : "signal"} ${ended}`;
}

/** Describes why a program could not be connected. */
function describeStart(
  cause: unknown,
  { command, ended, stderr, stray }: ProgramState & { readonly command: string },
): string {
  const parts: string[] = [];
  if ((cause as NodeJS.ErrnoException | undefined)?.code === "ENOENT") {
    parts.push("cannot be started: there is no such program, or no such folder.");
    if (/\s/.test(command)) parts.push(`Give it a ${FORM}.`);
  } else if (ended !== undefined) {
    parts.push(`${describeEnd(ended)} before it answered.`);
  } else {
    parts.push(`${describeFailure([cause])}.`);
  }
  if (stray) {
    parts.push(`Its standard output contains lines that are not MCP messages: ${stray}.`);
  }
  if (stderr.trim()) parts.push(`It wrote to its stderr:\n${stderr.trim()}`);
  return parts.join(" ");
}
