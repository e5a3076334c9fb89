import type { JsonObject } from "../json/json.ts";

/** The members of the clients of both SDKs that are used here. */
export interface SdkClient {
  request(request: object, schema: unknown, options: object): Promise<unknown>;
  close?(): PromiseLike<void>;
  onerror?: ((error: Error) => void) | undefined;
  setRequestHandler(key: unknown, handler: ElicitationHandler): void;
  setNotificationHandler(key: unknown, handler: NotificationHandler): void;
  removeNotificationHandler(method: string): void;
  /** `undefined` when the connection is closed. */
  readonly transport?: { readonly sessionId?: string | undefined } | undefined;
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
}

export type NotificationHandler = (...notification: unknown[]) => unknown;

type ElicitationHandler = (
  request: { readonly params?: unknown },
  extra: { readonly signal?: AbortSignal; readonly mcpReq?: { readonly signal?: AbortSignal } },
) => Promise<unknown>;

/** True if the client speaks MCP 2026-07-28. */
export function isModern(client: SdkClient): boolean {
  return client.getProtocolEra?.() === "modern";
}
