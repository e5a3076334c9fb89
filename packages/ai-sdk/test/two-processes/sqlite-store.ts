import { DatabaseSync } from "node:sqlite";
import type { Store } from "@toolrail/core";

/** A store in a file that several processes share. */
export function sqliteStore(file: string): Store {
  const db = new DatabaseSync(file);
  db.exec("pragma busy_timeout = 60000");
  db.exec("create table if not exists kept (key text primary key, value text, until integer)");
  const keep = `insert into kept values ($key, $value, $until) on conflict (key) do update
    set value = excluded.value, until = excluded.until`;
  const put = db.prepare(keep);
  const claim = db.prepare(`${keep} where kept.until <= $now`);
  const find = db.prepare("select value from kept where key = $key and until > $now");
  const remove = db.prepare("delete from kept where key = $key");
  const row = (key: string, value: unknown, ttlMs: number) => ({
    $key: key,
    $value: JSON.stringify(value),
    $until: Date.now() + ttlMs,
  });
  return {
    get(key) {
      const found = find.get({ $key: key, $now: Date.now() });
      return found && JSON.parse(String(found.value));
    },
    set: (key, value, ttlMs) => put.run(row(key, value, ttlMs)),
    delete: (key) => remove.run({ $key: key }).changes,
    claim: (key, value, ttlMs) =>
      claim.run({ ...row(key, value, ttlMs), $now: Date.now() }).changes === 1,
  };
}
