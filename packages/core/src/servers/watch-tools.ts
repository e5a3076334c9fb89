import { rest } from "../call/until-aborted.ts";
import { isModern, type NotificationHandler, type SdkClient } from "./sdk-client.ts";

export const TOOLS_CHANGED = "notifications/tools/list_changed";

/** Watches the server's announcements. A client has one handler for each notification, so the application's handler is still called. */
export function watchTools(
  { client, key }: { readonly client: SdkClient; readonly key: unknown },
  listener: () => void,
): () => void {
  const { _notificationHandlers: map } = client;
  const handlers = map instanceof Map ? map : undefined;
  const previous = handlers?.get(TOOLS_CHANGED);
  const both: NotificationHandler = (...notification) => {
    listener();
    return previous?.(...notification);
  };
  if (previous) handlers?.set(TOOLS_CHANGED, both);
  else client.setNotificationHandler(key, listener);
  const installed = handlers?.get(TOOLS_CHANGED);
  const aborter = new AbortController();
  void listenForTools(client, { onOpen: listener, signal: aborter.signal });
  return () => {
    aborter.abort();
    if (installed === undefined || handlers?.get(TOOLS_CHANGED) !== installed) return;
    if (previous) handlers.set(TOOLS_CHANGED, previous);
    else client.removeNotificationHandler(TOOLS_CHANGED);
  };
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 60_000;

/** Subscribes to changes of the tools until `signal` aborts. `onOpen` runs whenever changes may have been missed. */
async function listenForTools(
  client: SdkClient,
  { onOpen, signal }: { readonly onOpen: () => void; readonly signal: AbortSignal },
): Promise<void> {
  if (!isModern(client) || client.autoOpenedSubscription) return;
  if (!client.getServerCapabilities?.()?.tools?.listChanged) return;
  for (
    let waitMs = FIRST_WAIT_MS;
    !signal.aborted;
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  ) {
    const since = performance.now();
    try {
      const opened = await client.listen?.({ toolsListChanged: true }, { signal, timeout: 10_000 });
      if (!opened?.honoredFilter.toolsListChanged) return;
      onOpen();
      await opened.closed;
    } catch (cause) {
      if ((cause as { code?: unknown } | undefined)?.code === -32601) return; // The server does not know the method.
    }
    // A server that ends each subscription at once is asked less and less often.
    if (performance.now() - since > LONGEST_WAIT_MS) waitMs = FIRST_WAIT_MS;
    if (!signal.aborted) await rest(waitMs);
  }
}
