import type { PortOptions } from "../call/mcp-port.ts";
import type { AiSdkClient } from "./ai-sdk-port.ts";
import type { SdkClient } from "./sdk-client.ts";

/** What clients hold of their connection, and of the ids of their requests. */
type SendingClient = Pick<AiSdkClient, "requestMessageId"> & {
  readonly transport?: object | undefined;
} & Pick<SdkClient, "_requestMessageId" | "getNegotiatedProtocolVersion">;

/** Public in the SDKs, but for stdio and SSE of v1, which keep the version to themselves; private in `@ai-sdk/mcp`. */
interface Connection {
  readonly sessionId?: string;
  readonly protocolVersion?: string;
}

/** Sends a request and tells what its client knows of it. */
export function tellRequest<T>(
  { client, onRequest }: { readonly client: SendingClient } & Pick<PortOptions, "onRequest">,
  send: () => T,
): T {
  if (!onRequest) return send();
  const nextId = () => client._requestMessageId ?? client.requestMessageId;
  const id = nextId();
  const answer = send();
  const connection: Connection = Object(client.transport);
  onRequest({
    // All of them count at once: otherwise it may be the id of another request.
    "jsonrpc.request.id": id !== undefined && nextId() === id + 1 ? String(id) : undefined,
    "mcp.session.id": connection.sessionId,
    "mcp.protocol.version": client.getNegotiatedProtocolVersion?.() ?? connection.protocolVersion,
    "network.transport": networkOf(connection),
  });
  return answer;
}

/** Each first of the SDKs, then of `@ai-sdk/mcp`. */
function networkOf(connection: Connection): string | undefined {
  if ("finishAuth" in connection || "url" in connection) return "tcp";
  return "pid" in connection || "serverParams" in connection ? "pipe" : undefined;
}
