import { PGlite } from "@electric-sql/pglite";
import { runConformance } from "@toolrail/conformance";
import { afterAll, describe, it } from "vitest";
import { createPostgresStore } from "../../src/postgres/index.ts";

describe("PGlite", () => {
  const db = PGlite.create();
  afterAll(async () => (await db).close());
  const store = async () => createPostgresStore(await db);
  runConformance({ name: "createPostgresStore", store }, { describe, it });
});
