import { ToolrailError } from "../errors.ts";

export interface SdkTransport {
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  /** Ends the session. Only Streamable HTTP has sessions. */
  terminateSession?(): Promise<void>;
}

export interface NewClient {
  connect(
    transport: SdkTransport,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<void>;
  request(...parameters: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
  onerror?: ((error: Error) => void) | undefined;
}

export interface Sdk {
  readonly isV2: boolean;
  readonly Client: new (info: { name: string; version: string }, options: object) => unknown;
  readonly StreamableHttp: new (url: URL, options: object) => unknown;
  /** Loads the transport that preceded Streamable HTTP. Few servers still need it. */
  loadSse(): Promise<new (url: URL, options: object) => unknown>;
}

export type SdkClients = Pick<Sdk, "isV2" | "Client">;

/** Loads SDK v2 if it is installed, or else v1. Rejects with `invalid-options` if neither can be loaded. */
export async function loadSdk(): Promise<Sdk> {
  let cause: unknown;
  // Bundlers accept a missing SDK only if each `import` is alone in the `try` of a function.
  try {
    const { Client, StreamableHTTPClientTransport, SSEClientTransport } = await import(
      "@modelcontextprotocol/client"
    );
    const loadSse = async () => SSEClientTransport;
    return { isV2: true, Client, StreamableHttp: StreamableHTTPClientTransport, loadSse };
  } catch (failed) {
    cause = failed;
  }
  try {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import(
      "@modelcontextprotocol/sdk/client/streamableHttp.js"
    );
    const loadSse = async () => {
      try {
        const { SSEClientTransport } = await import("@modelcontextprotocol/sdk/client/sse.js");
        return SSEClientTransport;
      } catch (failed) {
        throw noSdk(failed);
      }
    };
    return { isV2: false, Client, StreamableHttp: StreamableHTTPClientTransport, loadSse };
  } catch {
    throw noSdk(cause);
  }
}

/** Creates the error for a missing SDK. `cause` is the error of loading v2. */
export function noSdk(cause: unknown): ToolrailError {
  return new ToolrailError("invalid-options", NEITHER, { cause });
}

const NEITHER =
  "@toolrail/core/connect needs a client of the MCP SDK, and none can be loaded (see `cause`): npm install @modelcontextprotocol/client";
