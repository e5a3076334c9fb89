import { PGlite } from "@electric-sql/pglite";
import { createMemoryServer } from "@toolrail/conformance";
import { createHost } from "@toolrail/core";
import { afterAll, expect, it, vi } from "vitest";
import { createPostgresStore, type Sql } from "../../src/postgres/index.ts";
import { setClock } from "../clock.ts";

const opening = PGlite.create();
afterAll(async () => (await opening).close());

/** A database that notes what it is asked, and does not answer while it is down. */
async function openDatabase() {
  const db = await opening;
  const asked: string[] = [];
  const state = { isDown: false };
  const sql: Sql = {
    async query(text, values) {
      asked.push(text);
      if (state.isDown) throw new Error("connect ECONNREFUSED postgres://app:secret@db");
      return db.query(text, values);
    },
  };
  return { db, sql, asked, state };
}

const count = async (db: PGlite, table: string) =>
  (await db.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n;

it("The table is created once, with the first value.", async () => {
  const { sql, asked } = await openDatabase();
  const store = createPostgresStore(sql, { table: "made_once" });
  expect(asked).toEqual([]);
  await Promise.all(["a", "b", "c"].map((key) => store.set(key, key, 1000)));
  expect(asked.filter((text) => text.includes("create table"))).toHaveLength(1);
});

it("A table in a schema of its own has its index there, and one that is there needs no right to create.", async () => {
  const { db, sql } = await openDatabase();
  await db.exec("create schema app");
  await createPostgresStore(sql, { table: "app.kept" }).set("a", 1, 1000);
  const { rows } = await db.query("select schemaname from pg_indexes where tablename = 'kept'");
  expect(rows).toEqual([{ schemaname: "app" }, { schemaname: "app" }]);
  await db.exec("create role plain; grant usage on schema app to plain");
  await db.exec("grant select, insert, update, delete on app.kept to plain; set role plain");
  await expect(createPostgresStore(sql, { table: "app.kept" }).get("a")).resolves.toBe(1);
  await db.exec("reset role");
});

it("Expired values are swept away along with a write, and others stay.", async () => {
  const { db, sql } = await openDatabase();
  const store = createPostgresStore(sql, { table: "swept", sweepEveryMs: 1 });
  for (const key of ["a", "b", "c"]) await store.set(key, key, 0);
  await store.set("d", "d", 1e6);
  await vi.waitFor(async () => {
    await store.set("e", "e", 1e6);
    expect(await count(db, "swept")).toBe(2);
  });
  expect(await store.get("d")).toBe("d");
});

it("A failed sweep does not fail the write, and the next one makes up for it.", async () => {
  const { db, sql } = await openDatabase();
  let fails = true;
  const query: Sql["query"] = async (text, values) => {
    if (fails && text.startsWith("delete")) throw new Error("lock timeout");
    return sql.query(text, values);
  };
  const store = createPostgresStore({ query }, { table: "unswept", sweepEveryMs: 0 });
  await store.set("a", 1, 0);
  await store.set("b", 2, 1e6);
  fails = false;
  await vi.waitFor(async () => {
    await store.set("b", 2, 1e6);
    expect(await count(db, "unswept")).toBe(1);
  });
});

it.each(["", "a b", 'x"; drop table y; --', "a.b.c", "x".repeat(61), "1a", "a.'b"])(
  "The name %j is none of a table.",
  (table) => {
    const sql: Sql = { query: () => Promise.reject(new Error("asked")) };
    expect(() => createPostgresStore(sql, { table })).toThrow(
      expect.objectContaining({ code: "invalid-options" }),
    );
  },
);

it("A key may be longer than an index accepts.", async () => {
  const { sql } = await openDatabase();
  const store = createPostgresStore(sql, { table: "long_keys" });
  const random = Array.from({ length: 400 }, () => crypto.randomUUID()).join("");
  for (const [at, key] of [`${random}1`, `${random}2`].entries()) await store.set(key, at, 1000);
  expect([await store.get(`${random}1`), await store.get(`${random}2`)]).toEqual([0, 1]);
});

it("A key cannot be SQL, and nothing in a value either.", async () => {
  const { db, sql } = await openDatabase();
  const store = createPostgresStore(sql, { table: "safe" });
  const evil = "'); drop table safe; --";
  await store.set(evil, { evil }, 1e6);
  expect(await store.get(evil)).toEqual({ evil });
  expect(await count(db, "safe")).toBe(1);
});

it("While the database is down no call is made; when it is back, calls are made again.", async () => {
  const { sql, state } = await openDatabase();
  const bank = createMemoryServer({ pay: {} });
  const store = createPostgresStore(sql, { table: "down" });
  const host = await createHost({ servers: { bank: bank.port }, store });
  const pay = () => host.run({ tool: "pay" }, { key: "order-1" });
  state.isDown = true;
  const down = await pay();
  expect(down).toMatchObject({ ended: "failed", error: { code: "callback-failed" } });
  expect(down.error?.message).not.toContain("secret");
  expect(bank.calls).toEqual([]);
  state.isDown = false;
  expect((await pay()).ended).toBe("complete");
  expect((await pay()).ended).toBe("complete");
  expect(bank.calls).toEqual(["pay"]);
});

it("If the database goes down before the answer is stored, nobody calls again.", async () => {
  const { sql, state } = await openDatabase();
  const bank = createMemoryServer({
    pay: {
      answer: () => {
        state.isDown = true;
        return { content: [{ type: "text", text: "paid" }] };
      },
    },
  });
  let aheadMs = 0;
  setClock(() => Date.now() + aheadMs);
  const options = {
    servers: { bank: bank.port },
    store: createPostgresStore(sql, { table: "unkept" }),
  };
  const one = await createHost(options);
  const pay = { tool: "pay" };
  expect((await one.run(pay, { key: "order-1" })).ended).toBe("complete");
  state.isDown = false;
  aheadMs = 400_000;
  const other = await createHost(options);
  const chain = await other.run(pay, { key: "order-1" });
  expect(chain).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
  expect(bank.calls).toEqual(["pay"]);
});
