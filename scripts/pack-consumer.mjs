// A user of the packed packages: a real server, one chain of two calls through each package.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as aiSdk from "@toolrail/ai-sdk";
import { createHost, modelView } from "@toolrail/core";
import * as langgraph from "@toolrail/langgraph";
import { createNextTool } from "@toolrail/server";
import * as z from "zod";

const server = new McpServer({ name: "bank", version: "1" });
server.registerTool("check", { inputSchema: { id: z.string() } }, ({ id }) => ({
  content: [{ type: "text", text: "locked" }],
  _meta: { nextTool: { tool: "ticket", arguments: { id } } },
}));
server.registerTool("ticket", { inputSchema: { id: z.string() } }, ({ id }) => ({
  content: [{ type: "text", text: `ticket for ${id}` }],
}));

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
const client = new Client({ name: "consumer", version: "1" });
await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
const host = await createHost({ servers: { bank: client } });

const chain = await host.run({ tool: "check", arguments: { id: "a1" } });
assert.equal(chain.ended, "complete");
assert.match(JSON.stringify(modelView(chain)), /ticket for a1/);
assert.equal(
  host.checkArguments({ tool: "check", arguments: { id: 1 } })?.code,
  "invalid-arguments",
);

const forAiSdk = aiSdk.createTools(host);
assert.deepEqual(Object.keys(forAiSdk), ["check", "ticket"]);
const [forLangChain] = langgraph.createTools(host);
assert.match(JSON.stringify(await forLangChain?.invoke({ id: "a2" })), /ticket for a2/);
assert.equal(typeof createNextTool, "function");
await host.close();

const from = import.meta.resolve("@toolrail/core").split("/").slice(-3).join("/");
console.log(`consumer on ${process.version} from ${from}: a chain of ${chain.hops.length} calls`);
