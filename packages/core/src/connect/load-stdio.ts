import { noSdk, type SdkClients } from "./load-sdk.ts";
import type { StdioTransportClass } from "./process-transport.ts";

interface StdioSdk extends SdkClients {
  readonly StdioTransport: StdioTransportClass;
}

/** Loads an SDK's transport for programs, like `loadSdk`. It is a separate module, since it needs Node. */
export async function loadStdio(): Promise<StdioSdk> {
  let cause: unknown;
  try {
    const [{ Client }, { StdioClientTransport }] = await Promise.all([
      import("@modelcontextprotocol/client"),
      import("@modelcontextprotocol/client/stdio"),
    ]);
    return { isV2: true, Client, StdioTransport: StdioClientTransport };
  } catch (failed) {
    cause = failed;
  }
  try {
    const [{ Client }, { StdioClientTransport }] = await Promise.all([
      import("@modelcontextprotocol/sdk/client/index.js"),
      import("@modelcontextprotocol/sdk/client/stdio.js"),
    ]);
    return { isV2: false, Client, StdioTransport: StdioClientTransport };
  } catch {
    throw noSdk(cause);
  }
}
