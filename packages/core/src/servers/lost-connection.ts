import type { JsonObject } from "@toolrail/json";
import { isSessionForgotten, reasonOf } from "../call/call-error.ts";
import { ToolrailError } from "../errors.ts";

/** The signs that nothing was sent: texts of the clients and codes of Node's sockets. */
const UNSENT =
  /^(Not connected|Attempted to send a request from a closed client|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
const CUT = /^((MCP error -32000: )?Connection closed\b.*|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/s;
/** The texts of errors that SDK v1 numbers itself. A number on any other error means that a server answered. */
const OWN_NUMBERS = /^(Streamable HTTP error|MCP error -32000: Connection closed)/;

/** Reads an error as that of a lost connection, by its shape. Returns `undefined` for all other errors. */
export function lostError(
  cause: unknown,
  { server, next }: { readonly server: string; readonly next: string },
): ToolrailError | undefined {
  const { name, message, code, cause: inner } = (cause ?? {}) as JsonObject;
  const text = typeof message === "string" ? message : "";
  const isAborted = name === "AbortError"; // The client threw it, since it was closed. Its number is that of a DOMException.
  if (typeof code === "number" && !isAborted && !OWN_NUMBERS.test(text)) return undefined;
  const signs = [text, code, (inner as JsonObject | undefined)?.code].map(String);
  const reason = reasonOf(cause);
  if (signs.some((sign) => UNSENT.test(sign))) {
    const why = `nothing was sent, since server "${server}" is not connected: ${reason}. Check that it is running. ${next}`;
    return new ToolrailError("server-unavailable", why, { cause });
  }
  if (isSessionForgotten(cause)) {
    const why = `nothing was executed, since server "${server}" no longer knows the session (${reason}). ${next}`;
    return new ToolrailError("server-unavailable", why, { cause });
  }
  if (!isAborted && !signs.some((sign) => CUT.test(sign))) return undefined;
  const hint = reason.includes("exceeded maximum size") ? TOO_LONG : "";
  const why = `server "${server}" was lost before it answered (${reason}), so the outcome is unknown. The call was not repeated: find out first whether it took effect. ${hint}${next}`;
  return new ToolrailError("outcome-unknown", why, { cause });
}

const TOO_LONG =
  "Its answer was longer than the client's transport allows: let the tool send less, or raise `maxBufferSize` of StdioClientTransport. ";
