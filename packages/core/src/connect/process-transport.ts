import { notify } from "../call/notify.ts";
import { withOwnSignal } from "../call/until-aborted.ts";
import type { ConnectOptions } from "../host/host-options.ts";
import type { McpClientLike } from "../servers/to-port.ts";
import type { Protocol } from "./connect-client.ts";
import type { SdkTransport } from "./load-sdk.ts";

/** Options of a server that is a program of this computer. */
export interface StdioOptions {
  /** Variables of the program's environment, besides the few that the SDK passes on, such as `HOME` and `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which the program is started. Default: that of this process. */
  readonly cwd?: string;
  /**
   * Receives what the program writes to its standard error, as it comes, and lines of its standard output that are no MCP
   * messages. Default: only an error shows the end of it, if the program does not start.
   */
  readonly onOutput?: (text: string, stream: "stderr" | "stdout") => void;
  /**
   * The revision of MCP. `"auto"` asks the server first whether it speaks 2026-07-28, which needs SDK v2. Default
   * `"2025-11-25"`, or an older one that the server speaks.
   */
  readonly protocol?: Protocol;
}

/** What an SDK starts a program with. */
interface StartParameters {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
  readonly cwd?: string;
  readonly stderr: "pipe";
}

/** The class of an SDK's transports to programs. */
export type StdioTransportClass = new (parameters: StartParameters) => unknown;

/** A program to start. */
export interface Program extends StdioOptions {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts a program and connects a client to it. */
export type StartProgram = (program: Program, connecting: ConnectOptions) => Promise<McpClientLike>;

/** What is known of a program that was started. */
export interface ProgramState {
  /** Its exit code, or the signal that ended it. Absent while it runs. */
  readonly ended?: number | string;
  /** The first error that its connection has reported, such as a message that is too long. */
  readonly reported?: Error;
  /** The end of what it has written to its standard error. */
  readonly stderr: string;
  /** The first line of its standard output that is no MCP message. */
  readonly stray?: string;
}

/** The members of a `ChildProcess` that are used here. */
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
  /** This is private in both SDKs (1.32.2, 2.4.0), which offer no way to learn how a program ended or what else it wrote. */
  readonly _process?: Child | undefined;
}

/** Creates the transport of an SDK to a program, and keeps what an error should say of it. */
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
  const tell = (text: string, stream: "stderr" | "stdout") => {
    void notify(onOutput && (() => onOutput(text, stream)), undefined);
  };
  const addStray = (line: string) => {
    state = { stray: line.slice(0, MAX_LINE), ...state };
    tell(line, "stdout");
  };
  transport.stderr?.setEncoding("utf8").on("data", (text) => {
    state = { ...state, stderr: (state.stderr + text).slice(-MAX_STDERR) };
    tell(text, "stderr");
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
        // The calls under way end with what is told first.
        const error = new Error(`its program ${describeEnd(ended)}`);
        transport.onerror?.(Object.assign(error, { code: ended }));
      });
    });
  };
  return {
    transport,
    state: () => state,
    /** Receives errors that the client reports apart from its requests. */
    onError(error: Error) {
      if (error.name === "ZodError") addStray("JSON that is not a JSON-RPC message");
      else state = { reported: error, ...state };
    },
    /** Ends a program that could not be connected, without the time that one is given which may have work to finish. */
    async giveUp(): Promise<void> {
      child?.kill();
      const kill = () => child?.kill("SIGKILL");
      await withOwnSignal({ timeoutMs: GRACE_MS }, () => exited).catch(kill);
      await transport.close();
    },
  };
}

/** Says how a program ended. */
export function describeEnd(ended: number | string): string {
  return `ended with ${typeof ended === "number" ? "exit code" : "signal"} ${ended}`;
}

/** Finds lines that do not even begin as a message does. It looks only at beginnings, since messages may be long. */
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
/** Characters that are kept of a stray line, and of the end of the standard error. */
const MAX_LINE = 200;
const MAX_STDERR = 1_000;
/** How long a program that is given up may take to heed SIGTERM. */
const GRACE_MS = 1_000;
