import { createInterface } from "node:readline/promises";
import type { Decision, PendingCall } from "@toolrail/core";
import { approvalText } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";
import type { Context } from "./run-toolrail.ts";
import { indent, plainText } from "./terminal.ts";

/**
 * Shows a waiting call and asks on the terminal whether to make it. A JSON object approves it with these arguments. Any other
 * answer except yes denies it.
 */
export async function askApproval(context: Context, pending: PendingCall): Promise<Decision> {
  const shown = `${approvalText(pending)}\n${indent(JSON.stringify(pending.arguments, null, 2))}\n`;
  context.stderr.write(plainText(shown));
  const line = await askLine(context, "Call it? [y/N, or other arguments as JSON] ");
  const answer = line?.trim() ?? "";
  if (/^y(es)?$/i.test(answer)) return "approve";
  try {
    const value: unknown = JSON.parse(answer);
    if (isJsonObject(value)) return { approve: { arguments: value } };
  } catch {}
  return { deny: "it was refused on the terminal" };
}

/** Asks for one line on the terminal. Returns `undefined` if the input ends first (Ctrl-D). */
async function askLine({ stdin, stderr, signal }: Context, text: string) {
  // The raw mode is off, since Ctrl-C would only end this question there.
  const terminal = createInterface({ input: stdin, output: stderr, terminal: false });
  const closed = new AbortController();
  terminal.once("close", () => closed.abort());
  if (stdin.readableEnded) terminal.close();
  try {
    return await terminal.question(text, { signal: AbortSignal.any([signal, closed.signal]) });
  } catch (error) {
    if (closed.signal.aborted) return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}
