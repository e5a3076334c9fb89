import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** A new session with the bank's MCP server. */
export async function connectBank(url: URL): Promise<Client> {
  const client = new Client({ name: "bank-chatbot", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url));
  return client;
}
