// Everything exported here is public API.

export { createPostgresStore, type PostgresStoreOptions, type Sql } from "./postgres-store.ts";
