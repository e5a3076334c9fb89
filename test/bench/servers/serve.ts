// A server process of its own: `serve.ts stdio`, or `serve.ts http`, which prints its address. It ends with its input.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { newServer, TOOLS } from "./tools.ts";

if (process.argv[2] === "stdio") {
  await newServer(TOOLS).connect(new StdioServerTransport());
} else {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await newServer(TOOLS).connect(transport as Transport);
    return transport;
  };
  const http = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    await (known ?? (await open())).handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  });
  process.stdin.resume().on("end", () => process.exit());
}
