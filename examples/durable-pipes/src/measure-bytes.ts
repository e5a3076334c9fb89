// How many bytes a pipe leaves in Postgres, by its steps: each answers with 10 KB of text. Run: npm run bytes
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createHost, type McpPort } from "@toolrail/core";
import { compilePipe } from "@toolrail/langgraph";
import { createPostgresStore } from "@toolrail/postgres";
import type { Pool } from "pg";
import { openDatabase } from "./open-database.ts";
import { print } from "./print.ts";

const RESULT_BYTES = 10_000;

/** A server whose tools answer with so many bytes of text, which differ from call to call. */
const texts: McpPort = {
  list: async () => ({
    tools: [
      { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      { name: "make", inputSchema: { type: "object" } },
    ],
  }),
  call: async ({ arguments: { page } }) => {
    const text = `${page} `.repeat(RESULT_BYTES).slice(0, RESULT_BYTES);
    return { content: [{ type: "text", text }] };
  },
};

const QUERIES = {
  blobs:
    "select coalesce(sum(octet_length(blob)), 0) as n from checkpoint_blobs where thread_id = $1",
  writes:
    "select coalesce(sum(octet_length(blob)), 0) as n from checkpoint_writes where thread_id = $1",
  rows: "select sum(octet_length(checkpoint::text)) as n from checkpoints where thread_id = $1",
};

async function measure(pool: Pool, { steps, tool, durability }: Measured) {
  const host = await createHost({ servers: { web: texts }, store: createPostgresStore(pool) });
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  const spec = {
    steps: Array.from({ length: steps }, (_, page) => ({ id: `s${page}`, tool, args: { page } })),
    return: true,
  };
  const thread_id = `${steps}-${tool}-${durability}`;
  const graph = compilePipe(host, { spec, checkpointer });
  const { ok, error } = await graph.invoke({}, { configurable: { thread_id }, durability });
  if (!ok) throw new Error(error);
  const kept = Object.entries(QUERIES).map(async ([part, query]) => {
    const { rows } = await pool.query(query, [thread_id]);
    return [part, Number(rows[0].n)] as const;
  });
  const parts: Record<string, number> = Object.fromEntries(await Promise.all(kept));
  await createPostgresStore(pool).get("made"); // The table, where no call was claimed.
  const { rows } = await pool.query(
    "select coalesce(sum(octet_length(value)), 0) as n from toolrail_store",
  );
  await pool.query("delete from toolrail_store");
  const store = Number(rows[0].n);
  const { blobs = 0, writes = 0 } = parts;
  return { ...parts, store, times: (blobs + writes + store) / (steps * RESULT_BYTES) };
}

interface Measured {
  readonly steps: number;
  readonly tool: "read" | "make";
  readonly durability: "sync" | "exit";
}

/** A tool that is read-only is not claimed, and its results are not kept for other workers. */
const KINDS = [
  { tool: "make", durability: "sync" },
  { tool: "read", durability: "sync" },
  { tool: "read", durability: "exit" },
] as const;

const folder = mkdtempSync(join(tmpdir(), "toolrail-bytes-"));
try {
  await using database = await openDatabase(folder);
  print("tool  durability  steps   KB: blobs  writes    rows   store   a result is written");
  for (const kind of KINDS) {
    for (const steps of [10, 20, 40]) {
      const { times, ...parts } = await measure(database.pool, { steps, ...kind });
      const columns = Object.values(parts).map((bytes) => (bytes / 1000).toFixed(0).padStart(8));
      const name = `${kind.tool}  ${kind.durability}        ${steps}   `;
      print(`${name}    ${columns.join("")}   ${times.toFixed(2)} times`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
