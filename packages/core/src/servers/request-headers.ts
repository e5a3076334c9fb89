import type { McpPort, PortOptions } from "../call/mcp-port.ts";
import { ToolrailError } from "../errors.ts";

/** Headers that the HTTP transport of SDK v2 (2.4.0) sets itself: it leaves out those of a request without a word. */
const KEPT = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/i;

/** A port that refuses requests with headers which its client would not send: a call must not go out without them. */
export function withoutLostHeaders(port: McpPort, takesHeaders: boolean): McpPort {
  const check = ({ headers = {} }: PortOptions) => {
    const lost = Object.keys(headers).find((name) => !takesHeaders || KEPT.test(name));
    if (lost === undefined) return;
    const why = takesHeaders
      ? `SDK v2 sets the header "${lost}" itself`
      : "only SDK v2 (@modelcontextprotocol/client) supports headers for a single request";
    const message = `\`requestHeaders\`: nothing was sent, since ${why}. Give the transport an authProvider, or a fetch that adds it.`;
    throw new ToolrailError("invalid-options", message);
  };
  return {
    ...port,
    async list(request, options) {
      check(options);
      return port.list(request, options);
    },
    async call(request, options) {
      check(options);
      return port.call(request, options);
    },
  };
}
