import { createPostgresStore } from "@toolrail/core/postgres";
import { type Bank, openBank } from "@toolrail/example-langgraph-agent/src/open-bank.ts";
import type { Pool } from "pg";

/** A bank with everything that hosts need to continue each other's runs. */
export function openDurableBank(pool: Pool): Promise<Bank> {
  return openBank({
    // The record of who makes which call and of its result. It is in the same database as the checkpoints.
    store: createPostgresStore(pool),
    // The same in all processes: it signs what waits in checkpoints.
    secret: process.env.TOOLRAIL_SECRET ?? "for this example alone, and not for a server",
    authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
  });
}
