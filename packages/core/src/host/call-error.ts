import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";

/** Says by shape what a failed request was, since none of the clients' classes is imported here. */
export function toCallError(cause: unknown, what: string, signal?: AbortSignal): ToolrailError {
  if (signal?.aborted) {
    return new ToolrailError("aborted", `${what} was aborted.`, { cause: signal.reason });
  }
  if (ToolrailError.isInstance(cause)) {
    return new ToolrailError(cause.code, `${what}: ${cause.message}`, { data: cause.data, cause });
  }
  const { code, message, data } = (cause ?? {}) as JsonObject;
  const reason = typeof message === "string" && message ? message : String(cause);
  if (isTimeout(code, data)) {
    return new ToolrailError("timeout", `${what} got no answer in time: ${reason}.`, { cause });
  }
  const isClosed = code === -32000 && /connection closed/i.test(reason);
  if (typeof code === "number" && !isClosed) {
    return new ToolrailError("protocol", `${what} was refused by the server: ${reason}`, {
      data: data === undefined ? { code } : { code, data },
      cause,
    });
  }
  return new ToolrailError(
    "connection",
    `${what} failed: ${reason}. Check that the server runs and that its client is connected.`,
    { cause },
  );
}

/** Servers use -32001 for errors of their own: the clients' timeouts carry the time that was up. */
function isTimeout(code: unknown, data: unknown): boolean {
  if (code === "REQUEST_TIMEOUT") return true;
  if (code !== -32001 || typeof data !== "object" || data === null) return false;
  return "timeout" in data || "maxTotalTimeout" in data;
}
