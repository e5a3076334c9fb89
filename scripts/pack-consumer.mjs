// A user of the packed packages: a real server, and one chain of two calls through each package.
import assert from "node:assert/strict";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as aiSdk from "@toolrail/ai-sdk";
import { createHost, modelView } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { runPipe } from "@toolrail/core/pipe";
import * as langgraph from "@toolrail/langgraph";
import { createNextTool } from "@toolrail/server";
import * as z from "zod";

for (const Library of [Client, ClientV2]) {
  const server = new McpServer({ name: "bank", version: "1" });
  const nextTool = createNextTool(server);
  server.registerTool("check", { inputSchema: { id: z.string() } }, async ({ id }) => ({
    content: [{ type: "text", text: "locked" }],
    _meta: await nextTool("ticket", { id }),
  }));
  server.registerTool("ticket", { inputSchema: { id: z.string() } }, ({ id }) => ({
    content: [{ type: "text", text: `ticket for ${id}` }],
  }));

  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Library({ name: "consumer", version: "1" });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const host = await createHost({ servers: { bank: client } });

  const chain = await host.run({ tool: "check", arguments: { id: "a1" } });
  assert.equal(chain.ended, "complete");
  assert.match(JSON.stringify(modelView(chain)), /ticket for a1/);
  const refused = await host.check({ tool: "check", arguments: { id: 1 } });
  assert.equal(refused.error?.code, "invalid-arguments");
  const steps = [{ id: "a", tool: "ticket", args: { id: "a2" } }];
  assert.equal((await runPipe(host, { spec: { steps } })).ok, true);

  const { check } = aiSdk.createTools(host);
  const options = { toolCallId: "call-1", messages: [] };
  assert.match(JSON.stringify(await lastOf(check.execute({ id: "a3" }, options))), /ticket for a3/);
  const [forLangChain] = langgraph.createTools(host);
  assert.match(JSON.stringify(await forLangChain.invoke({ id: "a4" })), /ticket for a4/);
  await host.close();
  console.log(
    `  a chain of ${chain.hops.length} calls over ${Library === Client ? "SDK v1" : "SDK v2"}`,
  );
}

const program = `
  import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
  import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
  const server = new McpServer({ name: "clock", version: "1" });
  server.registerTool("time", {}, () => ({ content: [{ type: "text", text: "noon" }] }));
  await server.connect(new StdioServerTransport());`;
const clock = stdio(process.execPath, ["--input-type=module", "-e", program]);
const started = await createHost({ servers: { clock } });
assert.match(JSON.stringify(await started.call({ tool: "clock.time" })), /noon/);
await started.close();
console.log("  a call of a program that the host has started");

/** Returns the last output of a tool, which gives one or several. */
async function lastOf(answer) {
  if (typeof answer?.[Symbol.asyncIterator] !== "function") return answer;
  let last;
  for await (const output of answer) last = output;
  return last;
}
