import { ToolrailError, type ToolrailErrorCode, toToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import type { CallOptions } from "./call-options.ts";

/** The limits of a server error's data. Larger data is dropped, since errors are stored while calls wait. */
const MAX_DATA = { maxBytes: 65_536, maxDepth: 64 };

/** What the failure of a request says. Only an answer is known to be one: everything else may have been executed. */
export type Failure = "answered" | "sign-in" | "unsent" | "unanswered";

/** Reads a failure by its shape, since the clients' error classes are not imported here. */
export function readFailure(cause: unknown): Failure {
  if (isProtocolError(cause)) return "answered";
  if (isSignInNeeded(cause)) return "sign-in";
  return isUnsent(cause) ? "unsent" : "unanswered";
}

/**
 * The server has forgotten the session: it answered 404 to a request with a session id. It executed nothing (MCP 2025-11-25,
 * Streamable HTTP, "Session Management").
 */
export class SessionLost extends Error {}

/** Turns the failure of a call that was handed to its client into an error. */
export function toCallError(
  cause: unknown,
  { what, server, signal }: { what: string; server: string } & Pick<CallOptions, "signal">,
): ToolrailError {
  const isLate = ToolrailError.isInstance(signal?.reason, "timeout");
  if (signal?.aborted && !isLate) return abortError(signal, what);
  if (ToolrailError.isInstance(cause) && cause.code !== "timeout") {
    return new ToolrailError(cause.code, `${what}: ${cause.message}`, { data: cause.data, cause });
  }
  const reason = reasonOf(cause);
  if (cause instanceof SessionLost) {
    const why = `nothing was executed, since server "${server}" no longer knows the session (${reason}). ${connectAgain(server)}`;
    return new ToolrailError("server-unavailable", `${what}: ${why}.`, { cause });
  }
  switch (readFailure(cause)) {
    case "answered": {
      const { code, data } = cause as { readonly code: number; readonly data?: unknown };
      return new ToolrailError("protocol", `${what} was rejected by the server: ${reason}`, {
        data: data === undefined || measure(data, MAX_DATA) ? { code } : { code, data },
        cause,
      });
    }
    case "sign-in":
      return needsSignIn(server, { what, cause });
    case "unsent": {
      const why = `nothing was sent, since server "${server}" is not connected: ${reason}. Check that it is running. ${connectAgain(server)}`;
      return new ToolrailError("server-unavailable", `${what}: ${why}.`, { cause });
    }
    case "unanswered": {
      const why = `server "${server}" gave no answer (${reason}), so the outcome is unknown. The call was not repeated: find out first whether it took effect`;
      return new ToolrailError("outcome-unknown", `${what}: ${why}.`, { cause });
    }
  }
}

const connectAgain = (server: string) =>
  `A server that is given as a function, \`servers: { ${server}: () => connect() }\`, is connected again`;

/** True for the error of a server that answered by JSON-RPC. The clients number some errors of their own as well. */
function isProtocolError(cause: unknown): boolean {
  const { code, data, name, message } = Object(cause) as JsonObject;
  const isOwn =
    name === "AbortError" || name === "TimeoutError" || OWN_ERRORS.test(String(message));
  if (typeof code !== "number" || isOwn || httpStatus(cause) !== undefined) return false;
  const isLate = code === -32001 && isJsonObject(data) && Object.keys(data).some(isTimeLimit);
  return !isLate;
}

/** SDK v1 numbers its own errors like those of servers. */
const OWN_ERRORS =
  /^(Streamable HTTP error|SSE error|MCP error -32000: Connection closed(: .*)?$)/s;
const isTimeLimit = (name: string) => name === "timeout" || name === "maxTotalTimeout";

/** True if a request cannot have reached a server. All other errors leave that open, by whatever code. */
function isUnsent(cause: unknown): boolean {
  for (let error = cause, depth = 0; error !== undefined && depth < MAX_CAUSES; depth++) {
    const { message, code, syscall, cause: inner, errors } = Object(error) as JsonObject;
    const isOfClient = UNSENT_TEXTS.includes(String(message)) || code === "NOT_CONNECTED";
    if (isOfClient || syscall === "connect" || UNSENT_CODES.includes(String(code))) return true;
    error = inner ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return false;
}

const MAX_CAUSES = 8;
const UNSENT_TEXTS = ["Not connected", "Attempted to send a request from a closed client"];
const UNSENT_CODES = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/**
 * Describes what went wrong in the client's text, with the first line of the innermost cause, which names it best: `fetch` only
 * says that it failed.
 */
export function reasonOf(cause: unknown): string {
  const { message } = Object(cause) as JsonObject;
  const text = typeof message === "string" && message ? message : String(cause);
  const [inner = ""] = innermostText(cause).split("\n");
  const isNew = inner !== "" && !text.includes(inner);
  return quoted((isNew ? `${text} (${inner})` : text).replace(REPEATED, "$1"));
}

function innermostText(cause: unknown): string {
  let text = "";
  for (let error = cause, depth = 0; error !== undefined && depth < MAX_CAUSES; depth++) {
    const { message, cause: inner, errors } = Object(error) as JsonObject;
    if (typeof message === "string" && message !== "") text = message;
    error = inner ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return text;
}

/** The beginning of a message that a client or a server has repeated: `MCP error -32602: `, several times. */
const REPEATED = /^([^:]{1,80}: )\1+/;

/** Returns the HTTP status that a client did not accept, from the error of any of them. */
export function httpStatus(cause: unknown): number | undefined {
  const { message, code, status, statusCode = status } = Object(cause) as JsonObject;
  if (typeof statusCode === "number") return statusCode;
  const isOfSdk1 = /^(Streamable HTTP error|SSE error)/.test(String(message));
  return isOfSdk1 && typeof code === "number" && code > 0 ? code : undefined;
}

/**
 * True if a server answered that the user has to sign in (HTTP 401), or a client reported that it could not sign in by itself. All
 * clients throw an `UnauthorizedError`, but only some of them set its name.
 */
export function isSignInNeeded(cause: unknown): boolean {
  const error = Object(cause) as Error;
  const isNamed = [error.name, error.constructor?.name].includes("UnauthorizedError");
  return isNamed || error.message === "Unauthorized" || httpStatus(cause) === 401;
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

export function throwIfAborted(signal: AbortSignal | undefined, name: string): void {
  if (signal?.aborted) throw abortError(signal, `The call of ${name}`);
}

/** The codes of errors whose messages may quote a server, its client or a value of the arguments. */
const QUOTING: readonly ToolrailErrorCode[] = [
  "invalid-arguments",
  "protocol",
  "server-unavailable",
  "timeout",
  "outcome-unknown",
  "malformed-result",
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
