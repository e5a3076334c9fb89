import { ToolrailError } from "../errors.ts";
import type { McpPort, PortOptions, ResourceRequest } from "../types/port.ts";

interface AnyRequest extends Omit<ResourceRequest, "method"> {
  readonly method: string;
}

export type Send = (
  request: Omit<AnyRequest, "meta">,
  options: PortOptions,
) => Promise<unknown> | undefined;

/** The requests of a client, each refused with headers that it would not send. */
export function toRequests(
  client: { close?(): PromiseLike<void> },
  { takesHeaders, send }: { readonly takesHeaders: boolean; readonly send: Send },
): Pick<McpPort, "list" | "call" | "request" | "close"> {
  const ask = ({ method, params, meta }: AnyRequest, options: PortOptions): Promise<unknown> => {
    const lost = options.headers && lostHeaders(options.headers, takesHeaders);
    if (lost) return Promise.reject(lost);
    const sent = send({ method, params: meta ? { ...params, _meta: meta } : params }, options);
    return sent ?? Promise.resolve();
  };
  return {
    list({ cursor, meta }, options) {
      const params = cursor === undefined ? {} : { cursor };
      return ask({ method: "tools/list", params, meta }, options);
    },
    call: ({ meta, ...params }, options) => ask({ method: "tools/call", params, meta }, options),
    request: ask,
    close: async () => void (await client.close?.()),
  };
}

/**
 * Who is told of a request's progress. Without a listener the server is given no token for it, and its progress does not count
 * as a sign of life: which it need not where it cannot extend the request.
 */
export function progressListener({ onProgress, timeoutMs, totalTimeoutMs }: PortOptions) {
  return onProgress ?? (timeoutMs < totalTimeoutMs ? () => {} : undefined);
}

/** Accepts any result, for the host to judge: in the forms of zod 3 (SDK v1, `@ai-sdk/mcp`) and Standard Schema. */
export const ANY = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
  safeParseAsync: async (value: unknown) => ({ success: true, data: value }),
  "~standard": { version: 1, vendor: "toolrail", validate: (value: unknown) => ({ value }) },
};

/** Headers that the HTTP transport of SDK v2 (2.4.0) sets itself: it leaves out those of a request without a word. */
const KEPT = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/i;

/** The error for headers which a client would not send: a request must not go out without them. */
function lostHeaders(
  headers: NonNullable<PortOptions["headers"]>,
  takesHeaders: boolean,
): ToolrailError | undefined {
  const lost = Object.keys(headers).find((name) => !takesHeaders || KEPT.test(name));
  if (lost === undefined) return undefined;
  const why = takesHeaders
    ? `SDK v2 sets the header "${lost}" itself`
    : "only SDK v2 (@modelcontextprotocol/client) supports headers for a single request";
  const message = `\`requestHeaders\`: nothing was sent, since ${why}. Give the transport an authProvider, or a fetch that adds it.`;
  return new ToolrailError("invalid-options", message);
}
