import { invalidOptions, type ToolrailError } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import type { McpPort, PortOptions } from "../types/port.ts";

interface AnyRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly meta?: JsonObject | undefined;
}

export type Send = (request: Omit<AnyRequest, "meta">, options: PortOptions) => Promise<unknown>;

/** Creates the requests of a client. A request is refused if the client would not send its headers. */
export function toRequests(
  client: { close?(): PromiseLike<void> },
  { takesHeaders, send }: { readonly takesHeaders: boolean; readonly send: Send },
): Pick<McpPort, "list" | "call" | "close"> {
  const ask = ({ method, params, meta }: AnyRequest, options: PortOptions): Promise<unknown> => {
    const lost = options.headers && lostHeaders(options.headers, takesHeaders);
    if (lost) return Promise.reject(lost);
    return send({ method, params: meta ? { ...params, _meta: meta } : params }, options);
  };
  return {
    list({ cursor, meta }, options) {
      const params = cursor === undefined ? {} : { cursor };
      return ask({ method: "tools/list", params, meta }, options);
    },
    call: ({ meta, ...params }, options) => ask({ method: "tools/call", params, meta }, options),
    close: async () => void (await client.close?.()),
  };
}

/** The longest time of a JavaScript timer. */
export const LONGEST_MS = 2_147_483_647;

/** A schema that accepts any result, since the host checks it. It has the forms of zod 3 (SDK v1, `@ai-sdk/mcp`) and of Standard Schema. */
export const ANY = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
  safeParseAsync: async (value: unknown) => ({ success: true, data: value }),
  "~standard": { version: 1, vendor: "toolrail", validate: (value: unknown) => ({ value }) },
};

/** The headers that the HTTP transport of SDK v2 (2.4.0) sets itself. It drops those of a request silently. */
const KEPT = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/i;

/** Creates the error for headers that a client would not send. A request must not go out without them. */
function lostHeaders(
  headers: NonNullable<PortOptions["headers"]>,
  takesHeaders: boolean,
): ToolrailError | undefined {
  const lost = Object.keys(headers).find((name) => !takesHeaders || KEPT.test(name));
  if (lost === undefined) return undefined;
  const why = takesHeaders
    ? `SDK v2 sets the header "${lost}" itself`
    : "only SDK v2 (@modelcontextprotocol/client) supports headers for a single request";
  return invalidOptions(
    `\`requestHeaders\`: nothing was sent, since ${why}. Give the transport an authProvider, or a fetch that adds it.`,
  );
}
