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
export function describeConnectError(
  target: ServerTarget,
  { failures, program, timeoutMs }: Failure,
): string {
  const [cause] = failures;
  const isProgram = target.type === "stdio";
  const what = isProgram
    ? `the program "${[target.command, ...target.args].join(" ")}"`
    : `${target.url.origin}${target.url.pathname}`;
  const late = `did not answer within ${timeoutMs} ms; give it longer with --timeout`;
  const known = isProgram
    ? describeProgram(target, { cause, ended: program?.ended })
    : describeAnswers(failures);
  const why = ToolrailError.isInstance(cause, "timeout") ? late : known;
  return [
    `${what} ${why ?? `cannot be connected: ${messageOf(cause)}`}.`,
    ...describeOutput(program),
  ].join(" ");
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

function describeOutput({ stray, stderr = "" }: Partial<ProgramState> = {}): string[] {
  const noise = "Its standard output contains lines that are not MCP messages";
  return [
    ...(stray?.first === undefined ? [] : [`${noise}: ${stray.first}.`]),
    ...(stderr.trim() === "" ? [] : [`It wrote to its stderr:\n${stderr.trim()}`]),
  ];
}

function describeEnd(ended: number | string): string {
  return typeof ended === "number" ? `exit code ${ended}` : `signal ${ended}`;
}

function describeProgram(
  { command, cwd }: Extract<ServerTarget, { type: "stdio" }>,
  { cause, ended }: { readonly cause: unknown; readonly ended: ProgramState["ended"] | undefined },
): string | undefined {
  if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
    const folder = cwd === undefined ? "" : `, or no folder "${cwd}"`;
    return `cannot be started: there is no program "${command}"${folder}`;
  }
  return ended === undefined ? undefined : `ended with ${describeEnd(ended)} before it answered`;
}

function describeAnswers(failures: readonly unknown[]): string | undefined {
  const [first, second] = failures.map((cause) => statusOf(cause) ?? messageOf(cause));
  if (first === 401 || first === 403) {
    return `refused access (${first}); send credentials with --header 'Authorization: Bearer …'`;
  }
  if (second !== undefined) {
    return `speaks neither Streamable HTTP (${first}) nor HTTP with SSE (${second}); check the path of the URL`;
  }
  if (typeof first !== "number") return undefined;
  const reason = messageOf(failures[0]);
  return `cannot be connected: it answered ${first}${reason === "" ? "" : ` (${reason})`}`;
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
