/** A store for several processes, in one table of Postgres. @module */

export { createPostgresStore, type PostgresStoreOptions, type Sql } from "./postgres-store.ts";
