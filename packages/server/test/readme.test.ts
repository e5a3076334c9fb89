import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createHost } from "@toolrail/core";
import { expect, it } from "vitest";
import * as z from "zod";
import { aHost, aHostUnderGuard, aHostWithPipes, aPipe, lockedAccount } from "./readme-examples.ts";

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

const number = { type: "object", properties: { n: { type: "number" } } };

/** A host whose docs can be searched, and whose pages have no description of their output. */
function openDocs() {
  const inputSchema = { type: "object" as const };
  const docs = {
    list: async () => ({
      tools: [
        { name: "search", inputSchema, outputSchema: number },
        { name: "page", inputSchema },
      ],
    }),
    call: async () => ({ content: [] }),
  };
  return createHost({ servers: { docs } });
}

it.each([
  ["with pipes", aHostWithPipes, ["search", "page", "mcp_pipe"]],
  ["under guard", aHostUnderGuard, ["search"]],
])("The server of a host %s lists its tools.", async (_, serve, names) => {
  const server = new McpServer({ name: "everything", version: "1" });
  serve(server, await openDocs());
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names);
  await client.close();
});

it("The server of a host lists its tools.", async () => {
  const shop = {
    list: async () => ({ tools: [{ name: "count", inputSchema: { type: "object" as const } }] }),
    call: async () => ({ content: [] }),
  };
  const server = aHost(await createHost({ servers: { shop } }));
  const client = new Client({ name: "test", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["count"]);
  await client.close();
});
