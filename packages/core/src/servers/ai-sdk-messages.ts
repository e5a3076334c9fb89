import type { Progress } from "../call/mcp-port.ts";
import type { JsonObject } from "../json.ts";

/** The transport of the client of `@ai-sdk/mcp`: private in 1.0.101 and 2.0.99, which pass no notifications on. */
export interface MessageTransport {
  onmessage?: ((message: JsonObject) => void) | undefined;
}

/** Hears what a server says of the progress of calls. Returns how to listen to one call, by the token that it goes out with. */
export function hearProgress(transport: MessageTransport | undefined) {
  const listeners = new Map<unknown, (progress: Progress) => void>();
  const previous = transport?.onmessage;
  if (transport && previous) {
    transport.onmessage = (message) => {
      const { method, params } = message;
      const { progressToken: token, ...progress } = (params ?? {}) as JsonObject;
      const listener = method === "notifications/progress" ? listeners.get(token) : undefined;
      if (!listener) previous.call(transport, message);
      else if (typeof progress.progress === "number") listener(progress as unknown as Progress);
    };
  }
  return async <T>(
    onProgress: (progress: Progress) => void,
    send: (progressToken: string) => Promise<T>,
  ): Promise<T> => {
    const token = crypto.randomUUID();
    listeners.set(token, onProgress);
    try {
      return await send(token);
    } finally {
      listeners.delete(token);
    }
  };
}
