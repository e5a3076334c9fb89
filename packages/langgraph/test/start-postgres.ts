import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

/** A database that other processes reach, too. */
export interface Database {
  readonly connectionString: string;
  /** How many connections may be used at once, by all processes together. */
  readonly maxConnections: number;
  stop(): Promise<void>;
}

/** A Postgres inside this process. */
export const openPglite = () => PGlite.create();

/**
 * PGlite behind a socket, for one process at a time. It is one session: of two connections at once, the statement that one
 * has parsed is the one that the other binds.
 */
export async function startPglite(): Promise<Database> {
  const db = await PGlite.create();
  // More connections than one, since that of a process that was killed may not be closed yet.
  const socket = new PGLiteSocketServer({ db, port: 0, host: "127.0.0.1", maxConnections: 10 });
  await socket.start();
  return {
    connectionString: `postgres://postgres:postgres@${socket.getServerConn()}/postgres`,
    maxConnections: 1,
    async stop() {
      await socket.stop();
      await db.close();
    },
  };
}

/** Why there is no Postgres on this machine to test with; `undefined` where there is one. */
export const noPostgres = findBin() ? undefined : "No Postgres in /usr/lib/postgresql/*/bin.";

/** A real Postgres, in a folder and on a socket that go when it stops. Root starts it as the user `postgres`. */
export async function startPostgres(): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), "toolrail-pg-"));
  const data = join(folder, "data");
  const run = (program: string, ...args: string[]) => {
    const owner = userInfo().uid === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
    const file = join(findBin() ?? "", program);
    execFileSync(file, ["-D", data, ...args], {
      stdio: ["ignore", "ignore", "inherit"],
      cwd: "/",
      ...owner,
    });
  };
  if (userInfo().uid === 0) execFileSync("chown", ["postgres", folder]);
  run("initdb", "--username=postgres", "--auth=trust", "--no-sync");
  const settings = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c fsync=off`;
  run("pg_ctl", "-w", "-o", settings, "-l", join(folder, "log"), "start");
  return {
    connectionString: `postgres://postgres@${encodeURIComponent(folder)}/postgres`,
    maxConnections: 10,
    async stop() {
      run("pg_ctl", "-w", "-m", "immediate", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findBin(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a));
  return newest
    .map((version) => join(root, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
}

/** The number of the user or the group `postgres`. */
function idOf(which: "-u" | "-g"): number {
  return Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));
}
