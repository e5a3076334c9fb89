import type { Bank } from "@toolrail/example-langgraph-agent/src/open-bank.ts";
import { openDatabase } from "../open-database.ts";
import { openDurableBank } from "../open-durable-bank.ts";

let bank: Promise<Bank> | undefined;

/** Opens one bank for all graphs of this process, in the first run. If that fails, the next run tries again. */
export function getBank(): Promise<Bank> {
  bank ??= open().catch((error) => {
    bank = undefined;
    throw error;
  });
  return bank;
}

async function open(): Promise<Bank> {
  const { pool } = await openDatabase(process.env.STORE_FOLDER ?? ".data/store");
  return openDurableBank(pool);
}
