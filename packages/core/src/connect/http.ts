import { isSignInNeeded } from "../call/call-error.ts";
import { createOptionCheck, oneOf } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import type { ConnectServer } from "../host/host-options.ts";
import { connectClient, type Protocol, type SignIn } from "./connect-client.ts";
import { failedConnect, statusOf } from "./failed-connect.ts";
import { loadSdk, type Sdk, type SdkTransport } from "./load-sdk.ts";

/** An `OAuthClientProvider` of either MCP SDK, or an `AuthProvider` of SDK v2. Structural: none is imported. */
export type AuthProviderLike =
  | { tokens(...parameters: never[]): unknown }
  | { token(...parameters: never[]): unknown };

/** Options of a server that is reached by its address. */
export interface HttpOptions {
  /** Headers of every request: `{ authorization: "Bearer …" }`. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs in with OAuth. Until the user has done so, the server's problem is `needs-sign-in`. Default: none. */
  readonly authProvider?: AuthProviderLike;
  /** Sends the requests, such as through a proxy. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** `"sse"` for the transport before Streamable HTTP. Default: the latter, and `"sse"` if the server does not speak it. */
  readonly transport?: "streamable-http" | "sse";
  /**
   * The revision of MCP. `"auto"` asks the server first whether it speaks 2026-07-28, which needs SDK v2. Default
   * `"2025-11-25"`, or an older one that the server speaks.
   */
  readonly protocol?: Protocol;
}

const check = /* @__PURE__ */ createOptionCheck<HttpOptions>("http", {
  headers: "object",
  authProvider: "object",
  fetch: "function",
  transport: /* @__PURE__ */ oneOf("streamable-http", "sse"),
  protocol: /* @__PURE__ */ oneOf("2025-11-25", "2026-07-28", "auto"),
});

/**
 * A server for `createHost` that is reached by its address. It is connected when it is first needed, again after its
 * connection was lost, and closed with the host. Throws `invalid-options` for what is no http or https URL.
 */
export function http(address: string | URL, options: HttpOptions = {}): ConnectServer {
  check(options);
  const url = readUrl(address, "http()");
  const { authProvider, fetch, protocol } = options;
  const signIn = authProvider && watchSignIn(authProvider);
  const requestInit = { headers: readHeaders(options) };
  const request = { requestInit, authProvider: signIn?.provider, fetch };
  return async (_, connecting) => {
    const sdk = await loadSdk();
    if (!sdk.isV2 && authProvider && !("tokens" in authProvider)) throw onlyV2();
    const failures: unknown[] = [];
    for (const open of routesOf(sdk, options)) {
      try {
        const transport = await open(url, request);
        return await connectClient(sdk, { ...connecting, transport, protocol, signIn });
      } catch (cause) {
        if (isSignInNeeded(cause)) throw cause;
        failures.push(cause);
        if (!isNotStreamable(cause)) break;
      }
    }
    throw failedConnect(`${url.origin}${url.pathname}`, failures);
  };
}

/** Notes where a provider sends the user to sign in. It sends them nevertheless, as it was written to do. */
function watchSignIn(authProvider: AuthProviderLike): SignIn & { provider: AuthProviderLike } {
  let url: string | undefined;
  const provider = new Proxy(authProvider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        if (name === "redirectToAuthorization") url = String(given[0]);
        return Reflect.apply(member, target, given);
      };
    },
  });
  return { provider, url: () => url };
}

function onlyV2(): ToolrailError {
  const message =
    "The `authProvider` of http() has `token`, which only SDK v2 supports. Give it an OAuthClientProvider, or: npm install @modelcontextprotocol/client";
  return new ToolrailError("invalid-options", message);
}

type Open = (url: URL, request: object) => Promise<SdkTransport>;

/** The ways to reach a server, the first to be tried first. */
function routesOf({ StreamableHttp, loadSse }: Sdk, { transport }: HttpOptions): readonly Open[] {
  const streamable: Open = async (...given) => new StreamableHttp(...given) as SdkTransport;
  const sse: Open = async (...given) => new (await loadSse())(...given) as SdkTransport;
  if (transport === undefined) return [streamable, sse];
  return [transport === "sse" ? sse : streamable];
}

/** True if an answer says that the server may speak the older HTTP+SSE transport (MCP 2025-11-25). */
function isNotStreamable(cause: unknown): boolean {
  const status = statusOf(cause);
  return status !== undefined && [400, 404, 405].includes(status);
}

/** Reads the address of a server. Throws `invalid-options`, which begins with `where`. */
export function readUrl(address: string | URL, where: string): URL {
  const url = toUrl(address);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    const message = `${where}: ${JSON.stringify(String(address))} is not an http or https URL.`;
    throw new ToolrailError("invalid-options", message);
  }
  if (url.username === "" && url.password === "") return url;
  const message = `${where}: the URL for ${url.host} contains a user name or password. Send them in a header: { headers: { authorization: "Basic …" } }.`;
  throw new ToolrailError("invalid-options", message);
}

function toUrl(address: string | URL): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** The values of headers are never quoted: they are secrets. */
function readHeaders({ headers = {} }: HttpOptions): Headers {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      if (typeof value !== "string") throw new TypeError("It is no text.");
      read.set(name, value);
    } catch {
      const message = `\`headers\` of http(): ${JSON.stringify(name)} is not a header, or its value is not a text that HTTP allows.`;
      throw new ToolrailError("invalid-options", message);
    }
  }
  return read;
}
