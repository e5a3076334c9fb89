import { type JsonObject, ToolrailError } from "@toolrail/core";
import { type Handlers, handlerOf, type RequestContext, withSignal } from "./server-handlers.ts";

interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}

/**
 * A client that calls the server's own handlers, in the form of an SDK v1 client: each call passes the
 * handler as one over the wire does, with the caller's context.
 */
export function createHandlerClient(handlers: Handlers, context: RequestContext) {
  return {
    listTools: async () => ({ tools: [] }),
    setNotificationHandler() {},
    async request(request: JsonObject, _schema: unknown, { signal, timeout }: RequestOptions) {
      const handler = handlerOf(handlers, String(request.method));
      const limit = AbortSignal.timeout(timeout ?? 60_000);
      const either = signal ? AbortSignal.any([signal, limit]) : limit;
      either.throwIfAborted();
      const answer = Promise.resolve(handler(request, withSignal(context, either)));
      return Promise.race([answer, rejection(either, limit, timeout)]);
    },
  };
}

function rejection(
  either: AbortSignal,
  limit: AbortSignal,
  timeout: number | undefined,
): Promise<never> {
  return new Promise((_, reject) => {
    const listener = () =>
      reject(
        limit.aborted
          ? new ToolrailError("timeout", `No answer within ${timeout} ms`)
          : either.reason,
      );
    either.addEventListener("abort", listener, { once: true });
  });
}
