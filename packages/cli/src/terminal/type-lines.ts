import { createInterface } from "node:readline/promises";
import type { Context } from "../command.ts";

/** Asks for lines on the terminal, as `type` wants them; `undefined` if nobody types any more (Ctrl-D). */
export async function typeLines<T>(
  { stdin, stderr, signal: cancel }: Context,
  {
    type,
    signal,
  }: { type(ask: (text: string) => Promise<string>): Promise<T>; signal?: AbortSignal | undefined },
): Promise<T | undefined> {
  // In raw mode Ctrl-C would end this question alone, and not the command.
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
