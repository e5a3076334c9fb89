import { SdkHttpError, SseError } from "@modelcontextprotocol/client";
import { ToolrailError } from "@toolrail/core";
import type { ConnectOptions } from "./connect-server.ts";
import type { ProgramState } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

interface Failure extends Pick<ConnectOptions, "timeoutMs" | "signal"> {
  readonly cause: unknown;
  /** What came of HTTP with SSE, where Streamable HTTP did not work. */
  readonly sseCause: unknown;
  readonly program: ProgramState | undefined;
}

/** Says in one message why a server could not be reached, with what the server itself wrote. */
export function describeConnectError(target: ServerTarget, failure: Failure): string {
  const { cause, program, timeoutMs, signal } = failure;
  if (signal.aborted) return "the command was cancelled while connecting.";
  const isProgram = target.type === "stdio";
  const what = isProgram
    ? `the program "${[target.command, ...target.args].join(" ")}"`
    : `${target.url.origin}${target.url.pathname}`;
  const isLate = ToolrailError.isInstance(cause) && cause.code === "timeout";
  const late = `did not answer within ${timeoutMs} ms; give it longer with --timeout`;
  const known = isProgram ? describeProgram(target, failure) : describeAnswer(failure);
  const why = isLate ? late : (known ?? `cannot be connected: ${messageOf(cause)}`);
  return [`${what} ${why}.`, ...describeOutput(program)].join(" ");
}

/** Says what became of a program that was connected, where there is something to say. */
export function describeLoss(server: string, program: ProgramState | undefined): string[] {
  const ended = program?.ended;
  const output = describeOutput(program);
  if (ended === undefined && output.length === 0) return [];
  const end = ended === undefined ? ":" : ` ended with ${describeEnd(ended)}.`;
  return [[`Server "${server}"${end}`, ...output].join(" ")];
}

/** True where an answer says that the server may speak the older HTTP+SSE transport (MCP 2025-11-25). */
export function isNotStreamable(cause: unknown): boolean {
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status);
}

function describeOutput({ stray, stderr }: Partial<ProgramState> = {}): string[] {
  const noise = "Its standard output contains lines that are not MCP messages";
  return [
    ...(stray?.first === undefined ? [] : [`${noise}: ${stray.first}.`]),
    ...(stderr ? [`It wrote to its stderr:\n${stderr}`] : []),
  ];
}

function describeEnd(ended: number | string): string {
  return typeof ended === "number" ? `exit code ${ended}` : `signal ${ended}`;
}

function describeProgram(
  { command, cwd }: Extract<ServerTarget, { type: "stdio" }>,
  { cause, program }: Failure,
): string | undefined {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
    const folder = cwd === undefined ? "" : `, or no folder "${cwd}"`;
    return `cannot be started: there is no program "${command}"${folder}`;
  }
  const ended = program?.ended;
  return ended === undefined ? undefined : `ended with ${describeEnd(ended)} before it answered`;
}

function describeAnswer({ cause, sseCause }: Failure): string | undefined {
  const status = statusOf(cause);
  const reason = messageOf(cause);
  if (status === 401 || status === 403) {
    return `refused access (${status}); send credentials with --header 'Authorization: Bearer …'`;
  }
  if (sseCause !== undefined) {
    return (
      `speaks neither Streamable HTTP (${status ?? reason}) ` +
      `nor HTTP with SSE (${statusOf(sseCause) ?? messageOf(sseCause)}); check the path of the URL`
    );
  }
  if (status === undefined) return undefined;
  return `cannot be connected: it answered ${status}${reason === "" ? "" : ` (${reason})`}`;
}

function statusOf(cause: unknown): number | undefined {
  if (cause instanceof SdkHttpError) return cause.status;
  return cause instanceof SseError && cause.code && cause.code > 0 ? cause.code : undefined;
}

/** The words of the innermost cause, which knows what happened: `fetch failed` says nothing. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  if (inner instanceof Error) return messageOf(inner);
  if (cause.name === "ZodError" || cause instanceof SyntaxError) {
    return "its answer is not an MCP message (is this the address of an MCP server?)";
  }
  return cause.message
    .replace(/^(MCP error -?\d+: |Streamable HTTP error: |Error POSTing to endpoint: ?)+/, "")
    .replace(/\.$/, "")
    .slice(0, 500);
}
