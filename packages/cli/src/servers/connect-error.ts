import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { indent } from "../terminal/plain-text.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { ProcessTransport } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/** How a program fared that was started. */
export interface ProgramState {
  readonly ended?: number | string | undefined;
  readonly stderr?: string;
  readonly stray?: ProcessTransport["stray"];
}

/** Says in one message why a server could not be reached, with what the server itself wrote. */
export function describeConnectError(
  target: ServerTarget,
  cause: unknown,
  options: Pick<ConnectOptions, "timeoutMs" | "signal">,
  program: ProgramState = {},
  sseCause?: unknown,
): string {
  const why = options.signal.aborted
    ? "the command was cancelled while it was being connected."
    : target.type === "stdio"
      ? describeProgram(target, cause, options.timeoutMs, program.ended)
      : describeAddress(target.url, cause, options.timeoutMs, sseCause);
  const wrote = program.stderr ? ` It wrote:\n${indent(program.stderr)}` : "";
  const { lines = 0, first } = program.stray ?? {};
  const stray = lines > 0 ? ` Its standard output holds what is no MCP message: ${first}.` : "";
  return `${why}${stray}${wrote}`;
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
    const how = typeof ended === "number" ? `exit code ${ended}` : `signal ${ended}`;
    return `${program} ended with ${how} before it answered.`;
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
  return `${at} cannot be connected: ${code ?? messageOf(cause)}.`;
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

function messageOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text
    .replace(/^MCP error -?\d+: /, "")
    .replace(/\.$/, "")
    .slice(0, 500);
}
