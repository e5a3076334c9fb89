import { mkdirSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { Pool } from "pg";

/** A database that is reached over connections, as checkpointers reach theirs. */
export interface Database extends AsyncDisposable {
  readonly pool: Pool;
  /** A description for people. */
  readonly name: string;
}

/** The Postgres of `DATABASE_URL`, or an embedded one in a folder, which one process at a time may open. */
export async function openDatabase(folder: string): Promise<Database> {
  const { DATABASE_URL: url } = process.env;
  if (url) return toDatabase(new Pool({ connectionString: url }), "the Postgres of DATABASE_URL");
  mkdirSync(folder, { recursive: true });
  const db = await PGlite.create(folder);
  const socket = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1" });
  await socket.start();
  const connectionString = `postgres://postgres:postgres@${socket.getServerConn()}/postgres`;
  // It is one session: the statements of two connections would meet in it.
  const pool = new Pool({ connectionString, max: 1, allowExitOnIdle: true });
  return toDatabase(pool, `the embedded Postgres in ${folder}`, async () => {
    await socket.stop();
    await db.close();
  });
}

function toDatabase(pool: Pool, name: string, close = async () => {}): Database {
  return {
    pool,
    name,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await close();
    },
  };
}
