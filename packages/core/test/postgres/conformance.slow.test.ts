import { randomUUID } from "node:crypto";
import { runConformance } from "@toolrail/conformance";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  type Database,
  noPostgres,
  startPostgres,
} from "../../../langgraph/test/start-postgres.ts";
import { createPostgresStore } from "../../src/postgres/index.ts";

const table = `store_${randomUUID().replaceAll("-", "_")}`;

// Every opening has connections of its own, as a process has.
const url = process.env.DATABASE_URL;
if (url === undefined && noPostgres) console.warn(`No real Postgres is tried. ${noPostgres}`);

describe.skipIf(url === undefined && noPostgres)("Postgres", () => {
  const pools: Pool[] = [];
  let db: Pick<Database, "connectionString" | "stop">;
  beforeAll(async () => {
    db = url === undefined ? await startPostgres() : { connectionString: url, async stop() {} };
  });
  afterAll(async () => {
    await pools[0]?.query(`drop table ${table}`);
    await Promise.all(pools.map((pool) => pool.end()));
    await db.stop();
  });
  const store = () => {
    const pool = new Pool({ connectionString: db.connectionString, max: 2 });
    pools.push(pool);
    return createPostgresStore(pool, { table });
  };
  runConformance({ name: "createPostgresStore", store }, { describe, it });
});
