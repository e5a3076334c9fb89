import { createInterface } from "node:readline/promises";
import type { Context } from "../command.ts";

/** Runs `type`, which asks for lines on the terminal. Returns `undefined` if the input ends first (Ctrl-D). */
export async function typeLines<T>(
  { stdin, stderr, signal: cancel }: Context,
  {
    type,
    signal,
  }: { type(ask: (text: string) => Promise<string>): Promise<T>; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  // The raw mode is off, since Ctrl-C would only end this question there.
  const terminal = createInterface({ input: stdin, output: stderr, terminal: false });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  if (stdin.readableEnded) terminal.close();
  const either = AbortSignal.any([cancel, closed.signal, ...(signal ? [signal] : [])]);
  try {
    return await type((text) => terminal.question(text, { signal: either }));
  } catch (error) {
    if (closed.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}
