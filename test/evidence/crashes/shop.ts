import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import type { Life } from "./life.ts";

/** The calls of an order, each of which changes something and names the next one. */
export const STEPS = ["reserve", "charge", "ship"] as const;
export const ORDER = { order: 7 };

/** What the shop has done. */
export interface Books {
  readonly books: string[];
  /** The keys that it has seen, if it looks at them. */
  readonly keys?: Set<string> | undefined;
}

/** A session of a process with the shop, whose books outlive the process. */
export async function openShop(life: Life, { books, keys }: Books): Promise<Client> {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  for (const [at, name] of STEPS.entries()) {
    const next = STEPS[at + 1];
    server.registerTool(
      name,
      { inputSchema: { order: z.number() } },
      async (_, { _meta: meta }) => {
        const key = meta?.["toolrail/idempotencyKey"];
        const isKnown = typeof key === "string" && keys?.has(key) === true;
        if (typeof key === "string") keys?.add(key);
        // A request of a dead process does not arrive.
        await life.whileAlive(async () => void (isKnown || books.push(name)));
        await life.onCarriedOut();
        const content = [{ type: "text" as const, text: `${name}: done` }];
        return { content, ...(next && { _meta: { nextTool: { tool: next, arguments: ORDER } } }) };
      },
    );
  }
  const client = new Client({ name: "toolrail-evidence", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}
