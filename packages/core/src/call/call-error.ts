import { isJsonObject, type JsonObject, measure, quoted } from "@toolrail/json";
import { ToolrailError, type ToolrailErrorCode, toToolrailError } from "../errors.ts";
import type { CallOptions } from "../types/call-options.ts";

/** The limits of a server error's data. Larger data is dropped, since errors are stored while calls wait. */
const MAX_DATA = { maxBytes: 65_536, maxDepth: 64 };

/** Recognises by its shape why a request failed, since the clients' error classes are not imported here. */
export function toCallError(
  cause: unknown,
  { what, server, signal }: { what: string; server?: string } & Pick<CallOptions, "signal">,
): ToolrailError {
  if (signal?.aborted) return abortError(signal, what);
  if (ToolrailError.isInstance(cause)) {
    return new ToolrailError(cause.code, `${what}: ${cause.message}`, { data: cause.data, cause });
  }
  const { code, data } = (cause ?? {}) as JsonObject;
  const reason = reasonOf(cause);
  if (server !== undefined && isSignInNeeded(cause)) return needsSignIn(server, { what, cause });
  if (isTimeout(code, data)) {
    return new ToolrailError("timeout", `${what} got no answer in time: ${reason}.`, { cause });
  }
  const isClosed = code === -32000 && /connection closed/i.test(reason);
  if (typeof code === "number" && !isClosed) {
    return new ToolrailError("protocol", `${what} was rejected by the server: ${reason}`, {
      data: data === undefined || measure(data, MAX_DATA) ? { code } : { code, data },
      cause,
    });
  }
  const failed = `${what} failed: ${reason}. Check that the server is running and its client connected.`;
  return new ToolrailError("connection", failed, { cause });
}

/** Describes what went wrong, once, in the client's text. `fetch` puts it into the `cause` of its error. */
export function reasonOf(cause: unknown): string {
  const { message, cause: inner } = (cause ?? {}) as JsonObject;
  const text = typeof message === "string" && message ? message : String(cause);
  const { message: more } = (inner ?? {}) as JsonObject;
  const isNew = typeof more === "string" && more !== "" && !text.includes(more);
  return quoted((isNew ? `${text} (${more})` : text).replace(REPEATED, "$1"));
}

/** The beginning of a message that a client or a server has repeated: `MCP error -32602: `, several times. */
const REPEATED = /^([^:]{1,80}: )\1+/;

/**
 * True if a server refused a request because it does not know the session: HTTP 404, or 400 with a text about it. Servers refuse
 * such a request before they execute anything (MCP 2025-11-25, Streamable HTTP, "Session Management").
 */
export function isSessionForgotten(cause: unknown): boolean {
  const { message, code, status, statusCode = status } = (cause ?? {}) as JsonObject;
  const text = typeof message === "string" ? message : "";
  const http = text.startsWith("Streamable HTTP error") ? code : statusCode;
  return http === 404 || (http === 400 && /session|not initialized/i.test(text));
}

/**
 * True if a server answered that the user has to sign in (HTTP 401), or a client reported that it could not sign in by itself. All
 * clients throw an `UnauthorizedError`, but only some of them set its name.
 */
export function isSignInNeeded(cause: unknown): boolean {
  const { name, message, code, status, statusCode = status } = (cause ?? {}) as JsonObject;
  const text = typeof message === "string" ? message : "";
  const http = text.startsWith("Streamable HTTP error") ? code : statusCode;
  const isNamed =
    name === "UnauthorizedError" || (cause as object)?.constructor?.name === "UnauthorizedError";
  return isNamed || text === "Unauthorized" || http === 401;
}

export function needsSignIn(
  server: string,
  { what, cause }: { readonly what: string; readonly cause?: unknown },
): ToolrailError {
  const message = `${what} was refused: server "${server}" asks the user to sign in first. Nothing was executed. Finish the sign-in with its OAuth provider, or give it credentials in its headers; then call host.refresh("${server}") and try again.`;
  return new ToolrailError("needs-sign-in", message, { data: { server }, cause });
}

/** Creates the error of an aborted call, also if the time of its run was up. */
export function abortError({ reason }: AbortSignal, what: string): ToolrailError {
  if (ToolrailError.isInstance(reason, "timeout")) {
    const message = `${what} got no answer in time: ${reason.message}`;
    return new ToolrailError("timeout", message, { cause: reason });
  }
  return new ToolrailError("aborted", `${what} was aborted.`, { cause: reason });
}

/** Recognises a client's timeout by the time that it names, since servers use -32001 for other errors as well. */
function isTimeout(code: unknown, data: unknown): boolean {
  if (code === "REQUEST_TIMEOUT") return true;
  if (code !== -32001 || typeof data !== "object" || data === null) return false;
  return "timeout" in data || "maxTotalTimeout" in data;
}

export function throwIfAborted(signal: AbortSignal | undefined, name: string): void {
  if (signal?.aborted) throw abortError(signal, `The call of ${name}`);
}

/** The codes of errors whose messages may quote a server, its client or a value of the arguments. */
const QUOTING: readonly ToolrailErrorCode[] = [
  "invalid-arguments",
  "protocol",
  "connection",
  "timeout",
  "outcome-unknown",
  "malformed-result",
  "unsupported-result",
];

/** Replaces an error whose text is for the user alone by one that models may read. The application finds the text in `cause`. */
export function withoutWords(error: ToolrailError, name: string): ToolrailError {
  const { code, data } = error;
  if (!QUOTING.includes(code)) return error;
  const message = `The call of ${name} failed (${code}). Its details are for the user alone.`;
  const safe = isJsonObject(data) && "code" in data ? { code: data.code } : data;
  return new ToolrailError(code, message, { data: safe as ToolrailError["data"], cause: error });
}

/** Turns anything that was thrown into the error of the call. */
export function toStageError(
  cause: unknown,
  { name, signal }: { readonly name: string } & Pick<CallOptions, "signal">,
): ToolrailError {
  const what = `The call of ${name}`;
  if (!ToolrailError.isInstance(cause) && signal?.aborted) return abortError(signal, what);
  return toToolrailError(cause, `${what} failed`);
}
