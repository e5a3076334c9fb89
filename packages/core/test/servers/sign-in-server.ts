import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";

/** An MCP server over HTTP with an OAuth server beside it: it answers 401 to requests without its newest token. */
export async function startSignInServer() {
  let given = 1;
  let token = "token-1";
  const calls: string[] = [];
  const openServer = async () => {
    const server = new Server({ name: "shop", version: "1" }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => {
      return { tools: [{ name: "buy", inputSchema: { type: "object" as const } }] };
    });
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      calls.push(params.name);
      return { content: [{ type: "text", text: "bought" }] };
    });
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport as Parameters<Server["connect"]>[0]);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const origin = `http://${request.headers.host}`;
    const documents: Record<string, object> = {
      "/.well-known/oauth-protected-resource/mcp": {
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
      },
      "/.well-known/oauth-authorization-server": {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      },
      "/token": { access_token: token, token_type: "Bearer" },
    };
    const path = request.url ?? "";
    const document = documents[path];
    if (document) {
      request.resume();
      response.setHeader("content-type", "application/json").end(JSON.stringify(document));
    } else if (path !== "/mcp") response.writeHead(404).end();
    else if (request.headers.authorization !== `Bearer ${token}`) {
      const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${where}"` }).end();
    } else await (await openServer()).handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  onTestFinished(() => {
    http.close();
    http.closeAllConnections();
  });
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  /** Makes the tokens that were given out worthless. */
  const revoke = () => {
    token = `token-${++given}`;
  };
  return { url, calls, revoke };
}
