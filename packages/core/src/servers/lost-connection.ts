import { reasonOf } from "../call/call-error.ts";
import { ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json.ts";

/** Why no answer can come any more over the connection that a request was made on. */
export interface LostConnection {
  readonly reason: string;
  /** False where the request cannot have reached the server. */
  readonly maybeSent: boolean;
}

/** Errors of Node's sockets and of its `fetch`, which stand in the `cause`. */
const REFUSED = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];
const CUT = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

/** Tells by its shape whether an error of a client means that its connection is gone. */
export function toLostConnection(cause: unknown): LostConnection | undefined {
  const { message, code, status, statusCode = status, cause: inner } = (cause ?? {}) as JsonObject;
  const text = typeof message === "string" ? message : "";
  const reason = reasonOf(cause);
  const socket = (inner as JsonObject | undefined)?.code ?? code;
  if (/^(Not connected$|Attempted to send a request from a closed client)/.test(text)) {
    return { reason, maybeSent: false };
  }
  if (REFUSED.includes(String(socket))) return { reason, maybeSent: false };
  if (CUT.includes(String(socket))) return { reason, maybeSent: true };
  const isClosed = code === "CONNECTION_CLOSED" || code === -32000 || code === undefined;
  if (isClosed && /^(MCP error -32000: )?Connection closed/.test(text)) {
    return { reason, maybeSent: true };
  }
  const http = /^Streamable HTTP error/.test(text) ? code : statusCode;
  const isLostSession = http === 404 || (http === 400 && /session|not initialized/i.test(text));
  if (!isLostSession) return undefined;
  return {
    reason: `it does not know this session any more: HTTP ${http}, ${reason}`,
    maybeSent: true,
  };
}

/** What a request comes to that was under way when its connection was lost. */
export function lostError(
  { reason, maybeSent }: LostConnection,
  {
    server,
    cause,
    reconnects,
  }: { readonly server: string; readonly cause: unknown; readonly reconnects: boolean },
): ToolrailError {
  const next = reconnects ? NEXT : `${GIVE_FUNCTION} \`servers: { ${server}: () => connect() }\`.`;
  const hint = /exceeded maximum size/.test(reason) ? ` ${TOO_LONG}` : "";
  if (!maybeSent) {
    const message = `nothing was sent, since server "${server}" is not connected: ${reason}. Check that the server runs. ${next}`;
    return new ToolrailError("connection", message, { cause });
  }
  const message = `server "${server}" was lost before it answered (${reason}), so the outcome is unknown. The call was not repeated: find out first whether it took effect.${hint} ${next}`;
  return new ToolrailError("outcome-unknown", message, { cause });
}

const NEXT = "The next call connects anew.";
const GIVE_FUNCTION = "To have it connected anew, give the server as a function,";
const TOO_LONG =
  "The answer was longer than the client's transport takes: let the tool send less, or raise `maxBufferSize` of StdioClientTransport.";
