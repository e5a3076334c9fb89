import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { deserializeMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { withOwnSignal } from "@toolrail/core/adapter";
import spawn from "cross-spawn";
import type { ServerTarget } from "./server-target.ts";

/** How a program fares. */
export interface ProgramState {
  /** Set when the program has ended by itself: its exit code, or the signal that ended it. */
  readonly ended?: number | string;
  /** The end of what it has written to its standard error. */
  readonly stderr: string;
  /** Lines on its standard output that are not MCP messages, and what the first one is. */
  readonly stray: { readonly lines: number; readonly first?: string };
}

/** A transport to a program. */
export interface ProcessTransport extends Transport {
  state(): ProgramState;
  /** Ends the program and all that it has started, at once. */
  kill(): void;
}

/** How long a program may take to end by itself, and then to heed SIGTERM. */
const GRACE_MS = 1_000;

/** Characters that are kept of the end of its standard error. */
const MAX_STDERR = 4_096;

/** Characters of one message. */
const MAX_LINE = 10_485_760;

/**
 * Starts a program and speaks MCP over its standard input and output. Unlike the SDK's own transport
 * it gives the program a process group of its own: Ctrl-C then reaches the server as a cancelled call
 * and not as a signal, and what the program has started (`npx`, `sh -c`) ends with it.
 */
export function createProcessTransport(
  target: Extract<ServerTarget, { type: "stdio" }>,
  onStderr: (text: string) => void = () => {},
): ProcessTransport {
  let line = "";
  let state: ProgramState = { stderr: "", stray: { lines: 0 } };
  let child: ChildProcess | undefined;
  let isClosing = false;
  let closed: Promise<unknown> = Promise.resolve();

  const signalGroup = (signal: "SIGTERM" | "SIGKILL") => {
    if (child?.pid === undefined) return;
    try {
      if (process.platform === "win32") child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // Nobody is left.
    }
  };
  const waitForEnd = () => withOwnSignal({ timeoutMs: GRACE_MS }, () => closed).catch(() => {});
  const addStray = (what: string) => {
    const { lines, first = what } = state.stray;
    state = { ...state, stray: { lines: lines + 1, first } };
  };
  const read = (chunk: string) => {
    const lines = (line + chunk).split("\n");
    line = lines.pop() ?? "";
    for (const text of lines) {
      try {
        transport.onmessage?.(deserializeMessage(text));
      } catch (error) {
        const { name, message } = error as Error; // The next line may be a message.
        addStray(name === "ZodError" ? "JSON that is not a JSON-RPC message" : message);
      }
    }
    if (line.length <= MAX_LINE) return;
    addStray(`a line exceeded maximum size, ${MAX_LINE} characters`);
    line = "";
    void transport.close();
  };
  const transport: ProcessTransport = {
    state: () => state,
    kill: () => signalGroup("SIGKILL"),
    async start() {
      child = spawn(target.command, [...target.args], {
        env: { ...process.env, ...target.env },
        cwd: target.cwd,
        detached: process.platform !== "win32",
        windowsHide: true,
      });
      child.stdin?.on("error", (error) => transport.onerror?.(error));
      child.stdout?.setEncoding("utf8").on("data", read);
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        state = { ...state, stderr: (state.stderr + text).slice(-MAX_STDERR) };
        onStderr(text);
      });
      child.once("exit", (code, signal) => {
        if (!isClosing) state = { ...state, ended: code ?? signal ?? "unknown" };
      });
      child.once("close", () => transport.onclose?.());
      closed = once(child, "close").catch(() => {}); // Rejects where it cannot be started.
      await once(child, "spawn");
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        // Its input closes before it ends: what ended it says more.
        const fail = (error: Error) => void waitForEnd().then(() => reject(error));
        if (!child?.stdin?.writable) return fail(new Error("the server's input is closed"));
        child.stdin.write(serializeMessage(message), (error) => (error ? fail(error) : resolve()));
      }),
    async close() {
      isClosing = true;
      child?.stdin?.end();
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        await waitForEnd();
        signalGroup(signal);
      }
      await waitForEnd();
    },
  };
  return transport;
}
