import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, it } from "vitest";
import * as z from "zod";
import { aPipe, lockedAccount } from "./readme-examples.ts";

it("The examples of the README run.", async () => {
  const server = new McpServer({ name: "bank", version: "1" });
  lockedAccount(server);
  server.registerTool("request_agent_handoff", { inputSchema: { reason: z.string() } }, () => ({
    content: [],
  }));
  aPipe(server);
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const result = await client.callTool({ name: "check_account", arguments: { account: "acc" } });
  expect(result._meta).toEqual({
    nextTool: { tool: "request_agent_handoff", arguments: { reason: "acc is locked" } },
  });
  expect((await client.listTools()).tools).toHaveLength(3);
  await client.close();
});
