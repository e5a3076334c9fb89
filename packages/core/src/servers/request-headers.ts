import type { PortOptions } from "../call/mcp-port.ts";
import { ToolrailError } from "../errors.ts";

/** Headers that the HTTP transport of SDK v2 (2.4.0) sets itself: it leaves out those of a request without a word. */
const KEPT = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/i;

/** Throws for headers which a client would not send: a request must not go out without them. */
export function refuseLostHeaders({ headers }: PortOptions, takesHeaders: boolean): void {
  if (headers === undefined) return;
  const lost = Object.keys(headers).find((name) => !takesHeaders || KEPT.test(name));
  if (lost === undefined) return;
  const why = takesHeaders
    ? `SDK v2 sets the header "${lost}" itself`
    : "only SDK v2 (@modelcontextprotocol/client) supports headers for a single request";
  const message = `\`requestHeaders\`: nothing was sent, since ${why}. Give the transport an authProvider, or a fetch that adds it.`;
  throw new ToolrailError("invalid-options", message);
}
