import { type Bank, openBank } from "@toolrail/example-langgraph-agent/src/open-bank.ts";
import { createPostgresStore } from "@toolrail/plugins/postgres";
import type { Pool } from "pg";

/** The bank with all that its hosts need in order to go on with each other's runs. */
export function openDurableBank(pool: Pool): Promise<Bank> {
  return openBank({
    // In the same database as the checkpoints: who makes which call, and what it came to.
    store: createPostgresStore(pool),
    // The same in all processes: it signs what waits in checkpoints.
    secret: process.env.TOOLRAIL_SECRET ?? "for this example alone, and not for a server",
    authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
  });
}
