import { PGlite } from "@electric-sql/pglite";
import { runConformance } from "@toolrail/conformance";
import Keyv from "keyv";
import { afterAll, describe, it } from "vitest";
import { createPostgresStore } from "../../src/postgres/index.ts";

describe("PGlite", () => {
  const db = PGlite.create();
  afterAll(async () => (await db).close());
  const store = async () => createPostgresStore(await db);
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
