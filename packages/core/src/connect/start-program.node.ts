import { ToolrailError } from "../errors.ts";
import { connectClient } from "./connect-client.ts";
import { describeFailure } from "./failed-connect.ts";
import { loadStdio } from "./load-stdio.ts";
import {
  createProcessTransport,
  describeEnd,
  type Program,
  type ProgramState,
  type StartProgram,
} from "./process-transport.ts";

/** Starts a program and connects a client to it. This module is loaded on demand, since a web page starts no programs. */
export const startProgram: StartProgram = async (program, connecting) => {
  const { StdioTransport, ...sdk } = await loadStdio();
  const { state, ...parts } = createProcessTransport(StdioTransport, program);
  try {
    return await connectClient(sdk, { ...connecting, ...parts, protocol: program.protocol });
  } catch (cause) {
    if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
    const why = describeStart(cause, { ...program, ...state() });
    // The arguments are left out, since they may contain secrets.
    const message = `the program "${program.command}" ${why}`;
    throw new ToolrailError("server-unavailable", message, { cause });
  }
};

/** Returns true if the client reports only that the connection ended. */
function isClosed(cause: unknown): boolean {
  return cause instanceof Error && cause.message.endsWith("Connection closed");
}

function describeStart(
  cause: unknown,
  { command, cwd, ended, reported, stderr, stray }: Program & ProgramState,
): string {
  const folder = cwd === undefined ? "" : `, or no folder "${cwd}"`;
  const isMissing = (cause as { readonly code?: unknown } | undefined)?.code === "ENOENT";
  const why = isMissing
    ? `cannot be started: there is no program "${command}"${folder}`
    : ended !== undefined
      ? `${describeEnd(ended)} before it answered`
      : describeFailure([isClosed(cause) ? (reported ?? cause) : cause]);
  const isWhole = isMissing && /\s/.test(command);
  const noise = `Its standard output contains lines that are not MCP messages: ${stray}.`;
  const output = `It wrote to its stderr:\n${stderr.trim()}`;
  const split =
    'If it contains arguments, give them in a list: stdio("npx", ["-y", "some-server"]).';
  return [
    `${why}.`,
    ...(isWhole ? [split] : []),
    ...(stray ? [noise] : []),
    ...(stderr.trim() ? [output] : []),
  ].join(" ");
}
