import type { JsonObject } from "@toolrail/json";
import { ANY } from "./client-requests.ts";

/** The members of the clients of both SDKs that are used here. */
export interface SdkClient {
  request(request: object, schema: unknown, options: object): Promise<unknown>;
  close?(): PromiseLike<void>;
  /** Receives the cause of a lost connection. The error of a request does not hold it: "Connection closed". */
  onerror?: ((error: Error) => void) | undefined;
  setRequestHandler(key: unknown, handler: ElicitationHandler): void;
  setNotificationHandler(key: unknown, handler: NotificationHandler): void;
  removeNotificationHandler(method: string): void;
  notification(notification: object): Promise<void>;
  /** `undefined` when the connection is closed. */
  readonly transport?: SdkTransport | undefined;
  getInstructions?(): string | undefined;
  /** Only SDK v2 has these members. On MCP 2026-07-28, servers announce changes only to subscribers. */
  getProtocolEra?(): string | undefined;
  getServerCapabilities?(): { readonly tools?: { readonly listChanged?: boolean } } | undefined;
  listen?(
    filter: object,
    options: object,
  ): Promise<{
    readonly honoredFilter: { readonly toolsListChanged?: boolean };
    readonly closed: Promise<unknown>;
  }>;
  /** The application's own subscription: see its client's option `listChanged`. */
  readonly autoOpenedSubscription?: object | undefined;
  /** These are private in both SDKs (1.32.2, 2.4.0), which offer no way to read them. */
  readonly _requestHandlers?: Map<string, unknown>;
  readonly _notificationHandlers?: Map<string, NotificationHandler>;
  readonly _capabilities?: JsonObject & { readonly elicitation?: JsonObject };
  readonly _clientInfo?: JsonObject;
}

/** The members of a transport over HTTP that are used here. */
interface SdkTransport {
  readonly sessionId?: string | undefined;
  readonly protocolVersion?: string | undefined;
  setProtocolVersion?(version: string): void;
  /** Private in both SDKs. SDK v1 also sends it with a handshake, which its server then refuses. SDK v2 does not. */
  _sessionId?: string | undefined;
}

/** Makes the handshake again over a transport whose session the server has forgotten. */
export async function reopenSession(client: SdkClient): Promise<void> {
  const { transport, _capabilities: capabilities = {}, _clientInfo: clientInfo } = client;
  if (!transport || !clientInfo) throw new Error("Not connected");
  transport._sessionId = undefined;
  const protocolVersion = transport.protocolVersion ?? FIRST_WITH_HTTP;
  const params = { protocolVersion, capabilities, clientInfo };
  const answer = await client.request({ method: "initialize", params }, ANY, {});
  const { protocolVersion: agreed } = Object(answer) as JsonObject;
  if (typeof agreed === "string") transport.setProtocolVersion?.(agreed);
  await client.notification({ method: "notifications/initialized" });
}

/** The oldest version with Streamable HTTP, which every such server speaks. */
const FIRST_WITH_HTTP = "2025-03-26";

export type NotificationHandler = (...notification: unknown[]) => unknown;

type ElicitationHandler = (
  request: { readonly params?: unknown },
  extra: { readonly signal?: AbortSignal; readonly mcpReq?: { readonly signal?: AbortSignal } },
) => Promise<unknown>;

/** True if the client speaks MCP 2026-07-28. */
export function isModern(client: SdkClient): boolean {
  return client.getProtocolEra?.() === "modern";
}
