// A pipe that waits for a person, is left by its process, and continues in a second one. Run it from this folder:
//   node --conditions=@toolrail/source src/main.ts
import { Command, isInterrupted } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { ApprovalRequest } from "@toolrail/langgraph";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { type Database, openDatabase } from "./open-database.ts";
import { openDurableBank } from "./open-durable-bank.ts";
import { print } from "./print.ts";
import { SPEC } from "./spec.ts";

const THREAD = { configurable: { thread_id: `review-${crypto.randomUUID()}` } };

/** Opens the bank and the graph in each process. Processes share nothing but the database and the secret. */
async function inAProcess<T>(
  { pool }: Database,
  use: (graph: ReturnType<typeof compilePipe>) => Promise<T>,
): Promise<T> {
  await using bank = await openDurableBank(pool);
  const checkpointer = new PostgresSaver(pool);
  await checkpointer.setup();
  return await use(compilePipe(bank.host, { spec: SPEC, checkpointer }));
}

await using database = await openDatabase(".data/checkpoints");
print(`Checkpoints and store: ${database.name}`);

await inAProcess(database, async (graph) => {
  const state = await graph.invoke({ vars: { urgency: "high" } }, THREAD);
  if (!isInterrupted<ApprovalRequest>(state)) throw new Error("The pipe did not wait.");
  const [action] = state.__interrupt__[0]?.value?.actionRequests ?? [];
  print(`first process: waits for a person: ${action?.name}`);
});

const resume = { decisions: [{ type: "approve" }] };
// Two processes at once, as after a double click: the host makes the call once. The other process gets its result, or is told that
// the call is under way elsewhere.
const results = await Promise.all(
  ["second", "third"].map(() =>
    inAProcess(database, async (graph) => {
      const { ok, result } = await graph.invoke(new Command({ resume }), THREAD);
      return ok ? [JSON.stringify(result)] : [];
    }),
  ),
);
print(`two more processes at once: one ticket ${new Set(results.flat()).size === 1}`);
