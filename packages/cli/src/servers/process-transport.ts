import type { ChildProcess } from "node:child_process";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import spawn from "cross-spawn";
import { untilAborted } from "../until-aborted.ts";
import type { ServerTarget } from "./server-target.ts";
import { createTail } from "./tail.ts";

/** How a program fares. */
export interface ProgramState {
  /** Set when the program has ended by itself: its exit code, or the signal that ended it. */
  readonly ended: number | string | undefined;
  /** The end of what it has written to its standard error. */
  readonly stderr: string;
  /** What it has written to its standard output that is no message: how many lines, and the first. */
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

/**
 * Starts a program and speaks MCP over its standard input and output. Unlike the SDK's own transport
 * it gives the program a process group of its own: Ctrl-C then reaches the server as a cancelled call
 * and not as a signal, and what the program has started (`npx`, `sh -c`) ends with it.
 */
export function createProcessTransport(
  target: Extract<ServerTarget, { type: "stdio" }>,
  onStderr: (text: string) => void = () => {},
): ProcessTransport {
  const buffer = new ReadBuffer();
  const stderr = createTail();
  let child: ChildProcess | undefined;
  let ended: ProgramState["ended"];
  let isClosing = false;
  let closed: Promise<void> = Promise.resolve();
  let stray: ProgramState["stray"] = { lines: 0 };

  const signalGroup = (signal: "SIGTERM" | "SIGKILL") => {
    if (child?.pid === undefined) return;
    try {
      if (process.platform === "win32") child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // Nobody is left.
    }
  };
  const transport: ProcessTransport = {
    state: () => ({ ended, stderr: stderr.text(), stray }),
    kill: () => signalGroup("SIGKILL"),
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn(target.command, [...target.args], {
          env: { ...process.env, ...target.env },
          cwd: target.cwd,
          stdio: ["pipe", "pipe", "pipe"],
          detached: process.platform !== "win32",
          windowsHide: true,
        });
        child = started;
        closed = new Promise((resolveClosed) => {
          started.once("error", (error) => {
            reject(error);
            resolveClosed();
          });
          started.once("exit", (code, signal) => {
            if (!isClosing) ended = code ?? signal ?? "unknown";
          });
          started.once("close", () => {
            resolveClosed();
            transport.onclose?.();
          });
        });
        started.once("spawn", () => resolve());
        started.stdin?.on("error", (error) => transport.onerror?.(error));
        started.stderr?.setEncoding("utf8").on("data", (text: string) => {
          stderr.add(text);
          onStderr(text);
        });
        started.stdout?.on("data", (chunk: Buffer) => {
          readMessages(buffer, chunk, transport, (error) => {
            stray = { lines: stray.lines + 1, first: stray.first ?? whatIsNoMessage(error) };
          });
        });
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!child?.stdin?.writable) return reject(new Error("the server's input is closed"));
        child.stdin.write(serializeMessage(message), (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    async close() {
      isClosing = true;
      child?.stdin?.end();
      if (!(await endsWithin(closed, GRACE_MS))) {
        signalGroup("SIGTERM");
        await endsWithin(closed, GRACE_MS);
      }
      signalGroup("SIGKILL");
      await endsWithin(closed, GRACE_MS);
      buffer.clear();
    },
  };
  return transport;
}

function readMessages(
  buffer: ReadBuffer,
  chunk: Buffer,
  transport: Transport,
  onStray: (error: Error) => void,
): void {
  try {
    buffer.append(chunk);
  } catch (error) {
    onStray(error as Error); // A line so long that it is not kept: what comes after it cannot be told.
    void transport.close();
    return;
  }
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      transport.onmessage?.(message);
    } catch (error) {
      onStray(error as Error); // A line that is no message; the next one may be.
    }
  }
}

function whatIsNoMessage(error: Error): string {
  return error.name === "ZodError" ? "JSON that is no JSON-RPC message" : error.message;
}

function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  const late = AbortSignal.timeout(ms);
  return untilAborted(late, ended).then(
    () => true,
    () => false,
  );
}
