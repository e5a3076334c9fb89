// The examples of README.md and of the guide docs/running-it.md as they are compiled and run.
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

type Connect = () => Promise<McpPort>;

export async function oneProcess(connectBank: Connect) {
  const host = await createHost({ servers: { bank: () => connectBank() } });
  return host;
}

export async function severalProcesses(connectBank: Connect, secret: string) {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL });
  const host = await createHost({
    servers: { bank: () => connectBank() },
    store: createPostgresStore(pool),
    secret, // at least 32 random characters, the same in all processes
  });
  return { host, pool };
}
