import { httpStatus, isSignInNeeded } from "../call/call-error.ts";
import { SERVER_FACTS, type ServerFacts } from "../call/port.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import type { ConnectedServer, ConnectServer } from "../host/host-options.ts";
import { connectClient, describeFailure, loadSdk } from "./connect-client.ts";

/** The MCP revision of a connection. `"auto"` negotiates it. */
export type Protocol = "2025-11-25" | "2026-07-28" | "auto";

/** An `OAuthClientProvider` of either MCP SDK, or an `AuthProvider` of SDK v2. The type is structural. */
export type AuthProviderLike =
  | { tokens(...parameters: never[]): unknown }
  | { token(...parameters: never[]): unknown };

/** The options of a server with an address. */
export interface HttpOptions extends ServerFacts {
  /** The headers of every request: `{ authorization: "Bearer …" }`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The OAuth provider. Until the user has signed in, the server has the problem `needs-sign-in`. Default: none. */
  readonly authProvider?: AuthProviderLike;
  /** The function that sends requests, for example through a proxy. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * The MCP revision. `"auto"` uses 2026-07-28 if the server supports it, which needs SDK v2. Default: `"2025-11-25"`, or an
   * older revision if the server supports only that.
   */
  readonly protocol?: Protocol;
}

const check = /* @__PURE__ */ createOptionCheck<HttpOptions>("http", {
  headers: "object",
  authProvider: "object",
  fetch: "function",
  ...SERVER_FACTS,
  protocol: /* @__PURE__ */ oneOf("2025-11-25", "2026-07-28", "auto"),
});

/**
 * Creates a server for `createHost` from an address. The host connects it when it is first needed and again after a lost
 * connection, and closes it with the host. A server without Streamable HTTP is reached over HTTP with SSE. Throws `invalid-options` if the address is not an http or https URL.
 */
export function http(address: string | URL, options: HttpOptions = {}): ConnectedServer {
  const url = readUrl(address, "http()");
  check(options);
  const { headers, authProvider, fetch, protocol, ...facts } = options;
  const request: object = { requestInit: { headers: readHeaders(headers) }, authProvider, fetch };
  const client: ConnectServer = async (_, connecting) => {
    const sdk = await loadSdk();
    const failures: unknown[] = [];
    for (const Transport of [sdk.StreamableHTTPClientTransport, sdk.SSEClientTransport]) {
      try {
        const transport = new Transport(url, request);
        return await connectClient(sdk, { ...connecting, transport, protocol });
      } catch (cause) {
        if (isSignInNeeded(cause) || ToolrailError.isInstance(cause, "invalid-options"))
          throw cause;
        failures.push(cause);
        // With these, the server may support the older HTTP+SSE transport instead (MCP 2025-11-25).
        if (![400, 404, 405].includes(httpStatus(cause) ?? 0)) break;
      }
    }
    const message = `${url.origin}${url.pathname} ${describeFailure(failures)}.`;
    throw new ToolrailError("server-unavailable", message, { cause: failures[0] });
  };
  return { ...facts, client };
}

/** Parses the address of a server. Throws `invalid-options` with a message that begins with `where`. */
export function readUrl(address: string | URL, where: string): URL {
  const given = String(address);
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw invalidOptions(
      `${where}: ${JSON.stringify(given)} is not an http or https URL, such as "http://localhost:3000/mcp".`,
    );
  }
  if (url.username === "" && url.password === "") return url;
  throw invalidOptions(
    `${where}: the URL for ${url.host} contains a user name or password. Send them in a header: { headers: { authorization: "Basic …" } }.`,
  );
}

/** Errors never quote the values of headers, since these are secrets. */
function readHeaders(headers: HttpOptions["headers"] = {}): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      if (typeof value !== "string") throw new TypeError("It is no text.");
      read.set(name, value);
    } catch {
      throw invalidOptions(
        `\`headers\` of http(): ${JSON.stringify(name)} is not a header, or its value is not a text that HTTP allows.`,
      );
    }
  }
  return read;
}
