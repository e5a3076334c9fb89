/** A store for several processes, in one table of Postgres. @module */

import type { Store } from "../call/store.ts";
import { createOptionCheck } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import { sha256 } from "../json/json.ts";

/** A `Pool` of `pg`, a `PGlite`, or any other object that runs one statement with its parameters. */
export interface Sql {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Options of `createPostgresStore`. */
export interface PostgresStoreOptions {
  /**
   * The table, as `name` or `schema.name`. Created if missing. Two applications must not share one. Default `"toolrail_store"`.
   */
  readonly table?: string;
  /** The milliseconds between sweeps, which remove expired rows after a write. Default 60,000. */
  readonly sweepEveryMs?: number;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<PostgresStoreOptions>(
  "createPostgresStore",
  {
    table: "text",
    sweepEveryMs: "number",
  },
);

/** An index accepts keys of about 2,700 bytes. Longer keys are stored as their hash. */
const MAX_KEY_LENGTH = 512;
const MAX_SWEPT = 10_000;
/** About 30 years, since an interval has a maximum. */
const MAX_TTL_MS = 1e12;

/**
 * Creates a store in one Postgres table, for `createHost({ store })`. All processes of an application share it. The database
 * decides which of several claims wins and, by its clock, when a value has expired. Methods reject with the error of the
 * database, which the host reports as `callback-failed`. Throws `invalid-options` for an invalid table name.
 */
export function createPostgresStore(sql: Sql, options: PostgresStoreOptions = {}): Required<Store> {
  checkOptions(options);
  const { table = "toolrail_store", sweepEveryMs = 60_000 } = options;
  if (typeof Object(sql).query !== "function") {
    const message = "createPostgresStore takes a `Pool` of `pg`, or anything with its `query`.";
    throw new ToolrailError("invalid-options", message);
  }
  const name = quoteTable(table);
  const keep = `insert into ${name} as kept values ($1, $2, now() + $3 * interval '1 ms')
    on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`;
  let created: Promise<unknown> | undefined;
  let nextSweepMs = 0;
  const ask = async (text: string, [key, ...more]: readonly [key: string, ...rest: unknown[]]) => {
    created ??= sql.query(createTable(name));
    await created.catch((error) => {
      created = undefined;
      throw error;
    });
    const short = key.length > MAX_KEY_LENGTH ? sha256(key) : key;
    return (await sql.query(text, [short, ...more])).rows as readonly Record<string, unknown>[];
  };
  const write = async (text: string, [key, value, ttlMs]: readonly [string, unknown, number]) => {
    const rows = await ask(text, [key, JSON.stringify(value), Math.min(ttlMs, MAX_TTL_MS)]);
    void sweep();
    return rows.length === 1;
  };
  const sweep = async () => {
    if (Date.now() < nextSweepMs) return;
    nextSweepMs = Date.now() + sweepEveryMs;
    const expired = `select key from ${name} where expires_at <= now() limit ${MAX_SWEPT} for update skip locked`;
    try {
      const gone = await sql.query(`delete from ${name} where key in (${expired}) returning 1`);
      if (gone.rows.length === MAX_SWEPT) nextSweepMs = 0;
    } catch {
      // Expired rows are never read, so the next sweep may remove them.
    }
  };
  return {
    async get(key) {
      const live = `select value from ${name} where key = $1 and expires_at > now()`;
      const [row] = await ask(live, [key]);
      return row && JSON.parse(String(row.value));
    },
    set: (key, value, ttlMs) => write(keep, [key, value, ttlMs]),
    async delete(key) {
      const gone = `delete from ${name} where key = $1 returning expires_at > now() as live`;
      const [row] = await ask(gone, [key]);
      return row?.live === true;
    },
    claim(key, value, ttlMs) {
      const free = `${keep} where kept.expires_at <= now() returning 1`;
      return write(free, [key, value, ttlMs]);
    },
  };
}

/** Quotes the name of a table. Throws `invalid-options` for anything except plain names. */
function quoteTable(table: string): string {
  const parts = table.split(".");
  if (parts.length <= 2 && parts.every((part) => /^[a-z_][a-z0-9_]{0,59}$/i.test(part))) {
    return parts.map((part) => `"${part}"`).join(".");
  }
  const message = `The table must be a plain name of at most 60 characters, or "schema.name", not ${JSON.stringify(table)}.`;
  throw new ToolrailError("invalid-options", message);
}

/**
 * Writes one statement that creates a missing table. Processes that start at once take turns, and a process needs no right to
 * create a table that exists.
 */
function createTable(name: string): string {
  return `do $$ begin
    if to_regclass('${name}') is not null then return; end if;
    perform pg_advisory_xact_lock(hashtext('toolrail ${name}'));
    create table if not exists ${name}
      (key text primary key, value text not null, expires_at timestamptz not null);
    create index if not exists ${name.replace(/^.*\.|"$/g, "")}_x" on ${name} (expires_at);
  end $$`;
}
