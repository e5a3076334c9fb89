import { type McpPort, type Server, ToolrailError } from "@toolrail/core";

/** What is used of a `MultiServerMCPClient` of `@langchain/mcp-adapters`. */
export interface AdapterClients {
  readonly config: { readonly mcpServers: object };
  getClient(server: string): Promise<unknown>;
}

/**
 * All servers of a `MultiServerMCPClient` for `createHost({ servers: adapterServers(adapters) })`, by their names there.
 * The adapters connect them, and connect them again as they are configured to. A host that is closed leaves them open.
 */
export function adapterServers(adapters: AdapterClients): Record<string, Server> {
  const names = Object.keys(adapters.config.mcpServers);
  return Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        const client = await adapters.getClient(name);
        if (client)
          // The host finds out of which kind it is.
          return { client: client as McpPort, shared: true };
        const message = `the adapters could not connect server "${name}"`;
        throw new ToolrailError("server-unavailable", message);
      },
    ]),
  );
}
