import type { ChildProcess } from "node:child_process";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import spawn from "cross-spawn";
import { untilAborted } from "../until-aborted.ts";
import type { ServerTarget } from "./server-target.ts";

/** A transport to a program, and how that program fares. */
export interface ProcessTransport extends Transport {
  /** What the program has written to its output that is no message: the lines' number and the first. */
  readonly stray: { readonly lines: number; readonly first?: string };
  /** Set when the program has ended: its exit code or the signal that ended it. */
  readonly ended: number | string | undefined;
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
  onStderr: (text: string) => void,
): ProcessTransport {
  const buffer = new ReadBuffer();
  let child: ChildProcess | undefined;
  let ended: number | string | undefined;
  let closed: Promise<void> = Promise.resolve();
  let stray: ProcessTransport["stray"] = { lines: 0 };

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
    get ended() {
      return ended;
    },
    get stray() {
      return stray;
    },
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
            ended = code ?? signal ?? "unknown";
          });
          started.once("close", () => {
            resolveClosed();
            transport.onclose?.();
          });
        });
        started.once("spawn", () => resolve());
        started.stdin?.on("error", (error) => transport.onerror?.(error));
        started.stderr?.setEncoding("utf8").on("data", onStderr);
        started.stdout?.on("data", (chunk: Buffer) => {
          readMessages(buffer, chunk, transport, (error) => {
            stray = { lines: stray.lines + 1, first: stray.first ?? error.message };
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
    transport.onerror?.(error as Error);
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

function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  const late = AbortSignal.timeout(ms);
  return untilAborted(late, ended).then(
    () => true,
    () => false,
  );
}
