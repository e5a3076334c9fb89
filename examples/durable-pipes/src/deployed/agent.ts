// The graph of docs/deploying.md, which names it there as
// src/agent.ts
import { createHost, type Host } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { createPostgresStore } from "@toolrail/core/postgres";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { Pool } from "pg";

let opened: Promise<Host> | undefined;

export const graph = async () => {
  const { DATABASE_URL, SHOP_URL = "http://127.0.0.1:3333/mcp", TOOLRAIL_SECRET } = process.env;
  if (!TOOLRAIL_SECRET) throw new Error("Set TOOLRAIL_SECRET: at least 32 random characters.");
  opened ??= createHost({
    servers: { shop: http(SHOP_URL) },
    requireApproval: ["shop.refund"],
    store: createPostgresStore(new Pool({ connectionString: DATABASE_URL })),
    secret: TOOLRAIL_SECRET, // the same in all processes
  });
  const host = await opened;
  const agent = createAgent({
    model: "openai:gpt-5-mini",
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
  });
  return agent.graph;
};
