import { hasMethods } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";

/** Creates the error for a value that is no client, with what to do about it. */
export function unknownClient(server: string, client: unknown): ToolrailError {
  const message =
    `Unsupported MCP client for server "${server}": ${describeClient(client)} Pass a connected Client of ` +
    "@modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, " +
    "an McpPort, { client, kind } for a wrapped client, or a function that connects one of these.";
  return new ToolrailError("unknown-client", message);
}

function describeClient(client: unknown): string {
  if (hasMethods(client, "then")) return "it is a promise. Await it first.";
  if (hasMethods(client, "start", "send")) {
    return "it is a transport. Connect a client with it first: `await client.connect(transport)`.";
  }
  if (hasMethods(client, "connect", "close") && !hasMethods(client, "listTools")) {
    return "it is a server. Connect a client to it first, such as over `InMemoryTransport`.";
  }
  const { url, command } = Object(client);
  if (client instanceof URL || url !== undefined || /^https?:/.test(String(client))) {
    return "it is the address of a server. Give it as `http(address)` of @toolrail/core/connect.";
  }
  if (command !== undefined) {
    return "it is the command of a server. Give it as `stdio(command, args)` of @toolrail/core/connect.";
  }
  if (Object(client) !== client) return `it is ${JSON.stringify(client)}.`;
  return "it is an object of an unknown kind.";
}
