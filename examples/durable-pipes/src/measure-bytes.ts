// Measures the bytes that a pipe leaves in Postgres, by the number of its steps, each of which answers with 10 KB of text. Run:
// npm run bytes

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createHost, type McpPort } from "@toolrail/core";
import type { PipeSpec } from "@toolrail/core/pipe";
import { createPostgresStore } from "@toolrail/core/postgres";
import { references } from "@toolrail/core/references";
import { compilePipe } from "@toolrail/langgraph/pipe";
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

async function measure(pool: Pool, { steps, tool, durability, references: isShort }: Measured) {
  const store = createPostgresStore(pool);
  const host = await createHost({
    servers: { web: texts },
    store,
    use: isShort ? [references()] : [],
  });
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  const spec: PipeSpec = {
    steps: Array.from({ length: steps }, (_, page) => ({ id: `s${page}`, tool, args: { page } })),
    return: true,
  };
  const thread_id = `${steps}-${tool}-${durability}-${isShort}`;
  const graph = compilePipe(host, { spec, checkpointer });
  const { ok, error } = await graph.invoke({}, { configurable: { thread_id }, durability });
  if (!ok) throw new Error(error);
  const kept = Object.entries(QUERIES).map(async ([part, query]) => {
    const { rows } = await pool.query(query, [thread_id]);
    return [part, Number(rows[0].n)] as const;
  });
  const parts: Record<string, number> = Object.fromEntries(await Promise.all(kept));
  await store.get("made"); // The table, where nothing was kept in it.
  const { rows } = await pool.query(
    "select coalesce(sum(octet_length(value)), 0) as n from toolrail_store",
  );
  await pool.query("delete from toolrail_store");
  const stored = Number(rows[0].n);
  const { blobs = 0, writes = 0 } = parts;
  const times = (blobs + writes + stored) / (steps * RESULT_BYTES);
  return { ...parts, stored, aStep: (blobs + writes) / steps, times };
}

interface Measured {
  readonly steps: number;
  readonly tool: "read" | "make";
  readonly durability: "sync" | "exit";
  readonly references: boolean;
}

/** A tool that is read-only is not claimed, and without references its results are not in the store. */
const KINDS = [false, true].flatMap((references) => [
  { tool: "make", durability: "sync", references } as const,
  { tool: "read", durability: "sync", references } as const,
  { tool: "read", durability: "exit", references } as const,
]);

const COLUMNS = "blobs  writes    rows   store   checkpoints, a step   a result is written";

const folder = mkdtempSync(join(tmpdir(), "toolrail-bytes-"));
try {
  await using database = await openDatabase(folder);
  print(`tool  durability  references  steps   KB: ${COLUMNS}`);
  for (const kind of KINDS) {
    const { tool, durability, references } = kind;
    for (const steps of [10, 20, 40]) {
      const { times, aStep, ...parts } = await measure(database.pool, { steps, ...kind });
      const columns = Object.values(parts).map((bytes) => (bytes / 1000).toFixed(0).padStart(8));
      const name = `${tool}  ${durability}        ${references ? "yes" : "no "}         ${steps}   `;
      const end = `${aStep.toFixed(0).padStart(8)} bytes        ${times.toFixed(2)} times`;
      print(`${name}    ${columns.join("")}   ${end}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
