import { type McpPort, type Server, ToolrailError } from "@toolrail/core";
import { isJsonObject } from "@toolrail/core/json";

/** The used part of a `MultiServerMCPClient` of `@langchain/mcp-adapters`. */
export interface AdapterClients {
  readonly config: { readonly mcpServers: object };
  getClient(server: string): Promise<unknown>;
}

/**
 * Returns all servers of a `MultiServerMCPClient`, by their names there, for `createHost({ servers:
 * adapterServers(adapters) })`. The adapters connect them, and reconnect them as configured. Closing the host leaves
 * them open. A server that the adapters cannot connect fails with `server-unavailable`.
 */
export function adapterServers(adapters: AdapterClients): Record<string, Server> {
  const { config, getClient }: Partial<AdapterClients> = Object(adapters);
  if (!isJsonObject(config?.mcpServers) || typeof getClient !== "function") {
    throw new ToolrailError(
      "invalid-options",
      "adapterServers takes a MultiServerMCPClient of @langchain/mcp-adapters. Give clients to createHost itself: { servers: { shop: client } }.",
    );
  }
  const names = Object.keys(config.mcpServers);
  const connect = async (name: string) => {
    const client = await adapters.getClient(name);
    if (client) return client as McpPort;
    const message = `the adapters could not connect server "${name}"`;
    throw new ToolrailError("server-unavailable", message);
  };
  return Object.fromEntries(
    names.map((name) => [name, { client: () => connect(name), shared: true }]),
  );
}
