import { DatabaseSync } from "node:sqlite";

/** The customer the demo belongs to. */
export const DEMO_CUSTOMER_ID = "cust_demo_001";

const TABLES = `
  CREATE TABLE IF NOT EXISTS accounts (
    account_id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL,
    name TEXT NOT NULL,
    balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0),
    is_locked INTEGER NOT NULL CHECK (is_locked IN (0, 1))
  ) STRICT;
  CREATE TABLE IF NOT EXISTS transfers (
    transfer_id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL,
    from_account_id TEXT NOT NULL REFERENCES accounts (account_id),
    to_account_id TEXT NOT NULL REFERENCES accounts (account_id),
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    memo TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'cancelled'))
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tickets (
    ticket_id TEXT PRIMARY KEY,
    customer_id TEXT NOT NULL,
    issue_type TEXT NOT NULL,
    urgency TEXT NOT NULL
  ) STRICT;
`;

const DEMO_ACCOUNTS = [
  ["acc_checking_001", "Primary Checking", 245_000, 1],
  ["acc_savings_001", "High Yield Savings", 1_280_050, 0],
  ["acc_current_001", "Everyday Current", 64_025, 0],
  ["acc_vacation_001", "Vacation Fund", 150_000, 0],
] as const;

/** Opens the file (or ":memory:"), creates what is missing and seeds the demo customer once. */
export function openBankDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: 5000 });
  inTransaction(db, () => {
    db.exec(TABLES);
    const insert = db.prepare("INSERT OR IGNORE INTO accounts VALUES (?, ?, ?, ?, ?)");
    for (const [id, name, cents, locked] of DEMO_ACCOUNTS) {
      insert.run(id, DEMO_CUSTOMER_ID, name, cents, locked);
    }
  });
  return db;
}

/** Runs the work alone: another process that writes to the same file waits. Rolls back on a throw. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}
