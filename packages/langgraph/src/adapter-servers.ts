import { type McpPort, type Server, ToolrailError } from "@toolrail/core";

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
  const names = Object.keys(adapters.config.mcpServers);
  return Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        const client = await adapters.getClient(name);
        if (client) return { client: client as McpPort, shared: true };
        const message = `the adapters could not connect server "${name}"`;
        throw new ToolrailError("server-unavailable", message);
      },
    ]),
  );
}
