import { withOwnSignal } from "../call/until-aborted.ts";
import type { ConnectOptions } from "../host/host-options.ts";
import type { McpClientLike } from "../servers/to-port.ts";
import type { Protocol } from "./connect-client.ts";
import type { SdkTransport } from "./load-sdk.ts";

/** The options of a server that is a local program. */
export interface StdioOptions {
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

interface StartParameters {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly cwd?: string;
  readonly stderr: "pipe";
}

export type StdioTransportClass = new (parameters: StartParameters) => unknown;

export interface Program extends StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
}

export type StartProgram = (program: Program, connecting: ConnectOptions) => Promise<McpClientLike>;

/** The state of a started program, for errors. */
export interface ProgramState {
  /** The exit code, or the signal that ended the program. Absent while it runs. */
  readonly ended?: number | string;
  /** The first error of the connection, such as a message that is too long. */
  readonly reported?: Error;
  /** The end of its standard error. */
  readonly stderr: string;
  /** The first line of its standard output that is not an MCP message. */
  readonly stray?: string;
}

/** The members of `ChildProcess` that this module uses. */
interface Child {
  readonly stdout: { on(event: "data", read: (chunk: Uint8Array) => void): unknown } | null;
  once(event: "exit", ended: (code: number | null, signal: string | null) => void): unknown;
  kill(signal?: "SIGKILL"): boolean;
}

interface StdioTransport extends SdkTransport {
  readonly stderr: {
    setEncoding(encoding: "utf8"): { on(event: "data", read: (text: string) => void): unknown };
  } | null;
  start(): Promise<void>;
  onerror?: (error: Error) => void;
  /** The process. It is private in both SDKs (1.32.2, 2.4.0), which offer no other way to learn how a program ended. */
  readonly _process?: Child | undefined;
}

/** Creates an SDK's transport for a program, and records its state for errors. */
export function createProcessTransport(
  Transport: StdioTransportClass,
  { command, args, env, cwd, onOutput }: Program,
) {
  const place = cwd === undefined ? {} : { cwd };
  const stderr = "pipe" as const;
  const parameters = { command, args: [...args], env: { ...env }, ...place, stderr };
  const transport = new Transport(parameters) as StdioTransport;
  let state: ProgramState = { stderr: "" };
  let child: Child | undefined;
  let exited: Promise<void> = Promise.resolve();
  const report = (text: string, stream: "stderr" | "stdout") => {
    onOutput?.(text, stream);
  };
  const addStray = (line: string) => {
    state = { stray: line.slice(0, MAX_LINE), ...state };
    report(line, "stdout");
  };
  transport.stderr?.setEncoding("utf8").on("data", (text) => {
    state = { ...state, stderr: (state.stderr + text).slice(-MAX_STDERR) };
    report(text, "stderr");
  });
  const start = transport.start.bind(transport);
  transport.start = async () => {
    await start();
    child = transport._process;
    child?.stdout?.on("data", readStrayLines(addStray));
    exited = new Promise((resolve) => {
      child?.once("exit", (code, signal) => {
        const isOurs = transport._process === undefined;
        const ended = code ?? signal ?? "unknown";
        resolve();
        if (isOurs) return;
        state = { ...state, ended };
        // This error must come before the SDK's own, since the pending calls end with the first one.
        const error = new Error(`its program ${describeEnd(ended)}`);
        transport.onerror?.(Object.assign(error, { code: ended }));
      });
    });
  };
  return {
    transport,
    state: () => state,
    /** Receives the client's errors outside of requests. */
    onError(error: Error) {
      if (error.name === "ZodError") addStray("JSON that is not a JSON-RPC message");
      else state = { reported: error, ...state };
    },
    /** Ends a program that could not be connected. It gets less time than a connected one, which may have work to finish. */
    async giveUp(): Promise<void> {
      child?.kill();
      const kill = () => child?.kill("SIGKILL");
      await withOwnSignal({ timeoutMs: GRACE_MS }, () => exited).catch(kill);
      await transport.close();
    },
  };
}

export function describeEnd(ended: number | string): string {
  return `ended with ${typeof ended === "number" ? "exit code" : "signal"} ${ended}`;
}

/** Finds lines that do not begin like a message. Only the beginnings are read, since messages may be long. */
function readStrayLines(onLine: (line: string) => void): (chunk: Uint8Array) => void {
  let begun = "";
  let isMessage = false;
  const decoder = new TextDecoder();
  return (chunk) => {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(NEWLINE, from);
      const end = at < 0 ? chunk.length : at;
      if (!isMessage) {
        begun += decoder.decode(chunk.subarray(from, Math.min(end, from + MAX_LINE)));
        isMessage = begun.trimStart().startsWith("{") || begun.trimStart().startsWith("[");
      }
      if (at >= 0) {
        if (!isMessage && begun.trim() !== "") onLine(begun.trim().slice(0, MAX_LINE));
        begun = "";
        isMessage = false;
      }
      from = end + 1;
    }
  };
}

const NEWLINE = 10;
/** The most characters kept of a line that is not a message, and of the standard error. */
const MAX_LINE = 200;
const MAX_STDERR = 1_000;
/** The time for a program to react to SIGTERM before it is killed. */
const GRACE_MS = 1_000;
