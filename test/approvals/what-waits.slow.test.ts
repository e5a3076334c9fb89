import { createPostgresStore } from "@toolrail/core/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPglite } from "../../packages/langgraph/test/start-postgres.ts";
import { openBank, WAYS } from "./ways.ts";

let sql: Awaited<ReturnType<typeof openPglite>>;
let tables = 0;
beforeAll(async () => {
  sql = await openPglite();
});
afterAll(() => sql.close());

describe.each(WAYS)("what waits across a restart: $name", ({ begin, approve }) => {
  it("is made once among several processes that share a store in Postgres, at once and later", async () => {
    const { open, paid } = openBank();
    const table = `waits_${tables++}`;
    const share = () => open({ store: createPostgresStore(sql, { table }) });
    const kept = await begin(await share());
    const [one, two, late] = [await share(), await share(), await share()];
    await Promise.allSettled([approve(one, kept), approve(two, kept)]);
    expect(paid()).toBe(1);
    expect(JSON.stringify(await approve(late, kept))).toContain("paid");
    expect(paid()).toBe(1);
  });
});
