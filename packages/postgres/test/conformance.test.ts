import { randomUUID } from "node:crypto";
import { PGlite } from "@electric-sql/pglite";
import { runConformance } from "@toolrail/conformance";
import Keyv from "keyv";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Database, noPostgres, startPostgres } from "../../langgraph/test/start-postgres.ts";
import { createPostgresStore } from "../src/index.ts";

const table = `store_${randomUUID().replaceAll("-", "_")}`;

describe("PGlite", () => {
  const db = PGlite.create();
  afterAll(async () => (await db).close());
  const store = async () => createPostgresStore(await db, { table });
  runConformance({ name: "createPostgresStore", store }, { describe, it });
});

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

const NO_CLAIM = "Keyv has no claim.";
const keyv = new Keyv();

runConformance(
  {
    name: "Keyv",
    store: () => keyv,
    exempt: {
      "store/claims-once": NO_CLAIM,
      "store/claims-expired": NO_CLAIM,
      "store/claims-deleted": NO_CLAIM,
      "store/claims-kept": NO_CLAIM,
      "store/settles": NO_CLAIM,
    },
  },
  { describe, it },
);
