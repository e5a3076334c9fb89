// The example of docs/deploying.md as it is compiled and run.
import { createHost, type McpPort } from "@toolrail/core";
import { createPostgresStore } from "@toolrail/core/postgres";
import { Pool } from "pg";

export async function aHost(client: McpPort, secret: string) {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  const host = await createHost({
    servers: { bank: client },
    store: createPostgresStore(pool),
    secret,
  });
  return { host, pool };
}
