import { httpStatus, reasonOf } from "../call/call-error.ts";
import { ToolrailError } from "../errors.ts";
import { quoted } from "../json/plain-text.ts";

/** Creates the error for a failed connection. `failures` are the errors of all transports that were tried. */
export function failedConnect(what: string, failures: readonly unknown[]): ToolrailError {
  const [cause] = failures;
  if (ToolrailError.isInstance(cause, "invalid-options")) return cause;
  const message = `${what} ${describeFailure(failures)}.`;
  return new ToolrailError("server-unavailable", message, { cause });
}

/** Describes why a server could not be connected. HTTP with SSE is tried after Streamable HTTP. */
export function describeFailure(failures: readonly unknown[]): string {
  const [cause] = failures;
  const [first, second] = failures.map((one) => httpStatus(one) ?? messageOf(one));
  if (ToolrailError.isInstance(cause, "timeout")) return `did not answer: ${messageOf(cause)}`;
  if (second !== undefined) {
    return `speaks neither Streamable HTTP (${first}) nor HTTP with SSE (${second}); check the path of the URL`;
  }
  if (typeof first !== "number") return `cannot be connected: ${first}`;
  const reason = messageOf(cause);
  return `cannot be connected: it answered ${first}${reason === "" ? "" : ` (${reason})`}`;
}

/** Returns the message of the innermost cause, since outer ones are vague, such as `fetch failed`. */
function messageOf(cause: unknown): string {
  const { name, errors, cause: inner } = Object(cause) as AggregateError;
  const next = errors?.[0] ?? inner;
  if (next instanceof Error) return messageOf(next);
  if (name === "ZodError" || name === "SyntaxError") {
    return "its answer is not an MCP message (is this the address of an MCP server?)";
  }
  const text = reasonOf(cause).replace(PREFIXES, "");
  return quoted(text.replace(/\.$/, "")).slice(0, 500);
}

const PREFIXES = /^(MCP error -?\d+: |Streamable HTTP error: |Error POSTing to endpoint: ?)+/;
