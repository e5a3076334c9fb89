import { SdkHttpError, SseError } from "@modelcontextprotocol/client";
import { ToolrailError } from "@toolrail/core";
import type { ProgramState } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

interface Failure {
  /** Of each way that was tried: HTTP with SSE comes after Streamable HTTP. */
  readonly failures: readonly unknown[];
  readonly program: ProgramState | undefined;
  readonly timeoutMs: number;
}

/** Says in one message why a server could not be reached, with what the server itself wrote. */
export function describeConnectError(target: ServerTarget, failure: Failure): string {
  const what =
    target.type === "stdio"
      ? `the program "${[target.command, ...target.args].join(" ")}"`
      : `${target.url.origin}${target.url.pathname}`;
  return [`${what} ${describeCause(target, failure)}.`, ...describeOutput(failure.program)].join(
    " ",
  );
}

function describeCause(target: ServerTarget, { failures, program, timeoutMs }: Failure): string {
  const [cause] = failures;
  const [first, second] = failures.map((one) => statusOf(one) ?? messageOf(one));
  if (ToolrailError.isInstance(cause, "timeout")) {
    return `did not answer within ${timeoutMs} ms; give it longer with --timeout`;
  }
  if (
    target.type === "stdio" &&
    cause instanceof Error &&
    "code" in cause &&
    cause.code === "ENOENT"
  ) {
    const folder = target.cwd === undefined ? "" : `, or no folder "${target.cwd}"`;
    return `cannot be started: there is no program "${target.command}"${folder}`;
  }
  if (program?.ended !== undefined) return `${describeEnd(program.ended)} before it answered`;
  if (first === 401 || first === 403) {
    return `refused access (${first}); send credentials with --header 'Authorization: Bearer …'`;
  }
  if (second !== undefined) {
    return `speaks neither Streamable HTTP (${first}) nor HTTP with SSE (${second}); check the path of the URL`;
  }
  if (typeof first !== "number") return `cannot be connected: ${first}`;
  const reason = messageOf(cause);
  return `cannot be connected: it answered ${first}${reason === "" ? "" : ` (${reason})`}`;
}

/** Says what became of a program that was connected, where there is something to say. */
export function describeLoss(server: string, program: ProgramState | undefined): string[] {
  const ended = program?.ended;
  const output = describeOutput(program);
  if (ended === undefined && output.length === 0) return [];
  const end = ended === undefined ? ":" : ` ${describeEnd(ended)}.`;
  return [[`Server "${server}"${end}`, ...output].join(" ")];
}

/** True where an answer says that the server may speak the older HTTP+SSE transport (MCP 2025-11-25). */
export function isNotStreamable(cause: unknown): boolean {
  return cause instanceof SdkHttpError && [400, 404, 405].includes(cause.status);
}

function describeOutput({ stray, stderr = "" }: Partial<ProgramState> = {}): string[] {
  const noise = "Its standard output contains lines that are not MCP messages";
  return [
    ...(stray?.first === undefined ? [] : [`${noise}: ${stray.first}.`]),
    ...(stderr.trim() === "" ? [] : [`It wrote to its stderr:\n${stderr.trim()}`]),
  ];
}

function describeEnd(ended: number | string): string {
  return `ended with ${typeof ended === "number" ? "exit code" : "signal"} ${ended}`;
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
