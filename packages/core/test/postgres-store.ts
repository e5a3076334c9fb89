import type { Store } from "../src/index.ts";

/** A `Pool` of `pg`, or anything else that runs a statement. */
export interface Sql {
  query(
    text: string,
    values?: unknown[],
  ): Promise<{ readonly rows: { readonly value: string }[]; readonly rowCount: number | null }>;
}

export const TABLE =
  "create table if not exists toolrail (key text primary key, value text not null, until timestamptz not null)";

export function postgresStore(sql: Sql): Store {
  const until = "now() + $3 * interval '1 ms'";
  const keep = `insert into toolrail values ($1, $2, ${until}) on conflict (key) do update
    set value = excluded.value, until = excluded.until`;
  return {
    async get(key) {
      const live = "select value from toolrail where key = $1 and until > now()";
      const { rows } = await sql.query(live, [key]);
      return rows[0] && JSON.parse(rows[0].value);
    },
    set: (key, value, ttlMs) => sql.query(keep, [key, JSON.stringify(value), ttlMs]),
    async delete(key) {
      const { rowCount } = await sql.query("delete from toolrail where key = $1", [key]);
      return rowCount === 1;
    },
    async claim(key, value, ttlMs) {
      const free = `${keep} where toolrail.until <= now()`;
      const { rowCount } = await sql.query(free, [key, JSON.stringify(value), ttlMs]);
      return rowCount === 1;
    },
  };
}
