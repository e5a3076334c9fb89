import { ToolrailError } from "@toolrail/core";

/** The name of a table in SQL. Throws `invalid-options` for anything but plain names. */
export function quoteTable(table: string): string {
  const parts = table.split(".");
  if (parts.length <= 2 && parts.every((part) => /^[a-z_][a-z0-9_]{0,59}$/i.test(part))) {
    return parts.map((part) => `"${part}"`).join(".");
  }
  const message = `The table must be a plain name of at most 60 characters, or "schema.name", not ${JSON.stringify(table)}.`;
  throw new ToolrailError("invalid-options", message);
}

/**
 * One statement that creates the table if it is missing: two processes that start at once take turns, and one that
 * finds the table needs no right to create one.
 */
export function createTable(name: string): string {
  return `do $$ begin
    if to_regclass('${name}') is not null then return; end if;
    perform pg_advisory_xact_lock(hashtext('toolrail ${name}'));
    create table if not exists ${name}
      (key text primary key, value text not null, expires_at timestamptz not null);
    create index if not exists ${name.replace(/^.*\.|"$/g, "")}_x" on ${name} (expires_at);
  end $$`;
}
