import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { ConnectOptions } from "./connect-options.ts";
import type { ProgramState } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/** Says in one message why a server could not be reached, with what the server itself wrote. */
export function describeConnectError(
  target: ServerTarget,
  cause: unknown,
  options: Pick<ConnectOptions, "timeoutMs" | "signal">,
  program?: ProgramState,
  sseCause?: unknown,
): string {
  const why = options.signal.aborted
    ? "the command was cancelled while it was being connected."
    : target.type === "stdio"
      ? describeProgram(target, cause, options.timeoutMs, program?.ended)
      : describeAddress(target.url, cause, options.timeoutMs, sseCause);
  return [why, ...(program ? describeOutput(program) : [])].join(" ");
}

/** Says what became of a program that was connected; undefined where there is nothing to say. */
export function describeLoss(server: string, program: ProgramState): string | undefined {
  const { ended } = program;
  const output = describeOutput(program);
  if (ended === undefined && output.length === 0) return undefined;
  const end = ended === undefined ? ":" : ` ended with ${describeEnd(ended)}.`;
  return [`Server "${server}"${end}`, ...output].join(" ");
}

function describeOutput({ stray, stderr }: ProgramState): string[] {
  return [
    ...(stray.lines > 0
      ? [`Its standard output holds what is no MCP message: ${stray.first}.`]
      : []),
    ...(stderr === "" ? [] : [`It wrote to its stderr:\n${stderr}`]),
  ];
}

function describeEnd(ended: number | string): string {
  return typeof ended === "number" ? `exit code ${ended}` : `signal ${ended}`;
}

/** True where an answer says that the server may speak the older HTTP+SSE transport (MCP 2025-11-25). */
export function isNotStreamable(cause: unknown): boolean {
  return cause instanceof StreamableHTTPError && [400, 404, 405].includes(cause.code ?? 0);
}

function describeProgram(
  target: Extract<ServerTarget, { type: "stdio" }>,
  cause: unknown,
  timeoutMs: number,
  ended: number | string | undefined,
): string {
  const { code, path } = (cause ?? {}) as { code?: unknown; path?: unknown };
  if (code === "ENOENT") {
    return target.cwd !== undefined && path !== undefined && path === target.command
      ? `it cannot be started: there is no program "${target.command}", or no folder "${target.cwd}".`
      : `it cannot be started: there is no program "${target.command}".`;
  }
  if (code === "EACCES") {
    return `it cannot be started: "${target.command}" may not be run as a program.`;
  }
  const program = `the program "${[target.command, ...target.args].join(" ")}"`;
  if (isTimeout(cause)) {
    return `${program} did not answer within ${timeoutMs} ms; give it longer with --timeout.`;
  }
  if (ended !== undefined) {
    return `${program} ended with ${describeEnd(ended)} before it answered.`;
  }
  return `${program} cannot be connected: ${messageOf(cause)}.`;
}

function describeAddress(url: URL, cause: unknown, timeoutMs: number, sseCause: unknown): string {
  const at = `${url.origin}${url.pathname}`;
  const code = systemCode(cause);
  if (code === "ECONNREFUSED") return `nobody listens at ${at}.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `there is no host "${url.hostname}".`;
  }
  if (isTimeout(cause)) {
    return `${at} did not answer within ${timeoutMs} ms; give it longer with --timeout.`;
  }
  const status = statusOf(cause);
  if (status === 401 || status === 403) {
    return `${at} refused access (${status}); send credentials with --header 'Authorization: Bearer …'.`;
  }
  if (sseCause !== undefined) {
    return (
      `${at} speaks neither Streamable HTTP (${status ?? messageOf(cause)}) ` +
      `nor HTTP with SSE (${statusOf(sseCause) ?? messageOf(sseCause)}); check the path of the URL.`
    );
  }
  const reason = messageOf(cause);
  return status === undefined
    ? `${at} cannot be connected: ${code ?? reason}.`
    : `${at} cannot be connected: it answered ${status}${reason === "" ? "" : ` (${reason})`}.`;
}

function statusOf(cause: unknown): number | undefined {
  const known = cause instanceof StreamableHTTPError || cause instanceof SseError;
  return known && cause.code !== undefined && cause.code > 0 ? cause.code : undefined;
}

/** The code of the operating system under a failed `fetch`. */
function systemCode(cause: unknown): string | undefined {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error instanceof AggregateError && error.errors.length > 0) {
      return systemCode(error.errors[0]);
    }
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === "string" && /^E[A-Z_]+$/.test(code)) return code;
  }
  if (cause instanceof SseError) return /E[A-Z]{4,}/.exec(cause.message)?.[0];
  return undefined;
}

function isTimeout(cause: unknown): boolean {
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  return code === -32001 || name === "TimeoutError";
}

/** In the words of the innermost cause, which knows what happened: `fetch failed` says nothing. */
function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause instanceof Error) return messageOf(cause.cause);
  if (cause.name === "ZodError" || cause instanceof SyntaxError) {
    return "what it answers is no MCP message (is this the address of an MCP server?)";
  }
  return cause.message
    .replace(/^(MCP error -?\d+: |Streamable HTTP error: |Error POSTing to endpoint: ?)+/, "")
    .replace(/\.$/, "")
    .slice(0, 500);
}
