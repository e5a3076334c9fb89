import { z } from "zod";

const accountRecord = z.object({
  accountId: z.string(),
  customerId: z.string(),
  name: z.string(),
  balanceCents: z.int(),
  isLocked: z.int().transform(Boolean),
});

const transferRecord = z.object({
  transferId: z.string(),
  customerId: z.string(),
  fromAccountId: z.string(),
  toAccountId: z.string(),
  amountCents: z.int(),
  memo: z.string(),
  status: z.enum(["pending", "confirmed", "cancelled"]),
});

const ticketRecord = z.object({
  ticketId: z.string(),
  customerId: z.string(),
  issueType: z.string(),
  urgency: z.string(),
});

export type Account = Readonly<z.infer<typeof accountRecord>>;
export type Transfer = Readonly<z.infer<typeof transferRecord>>;
export type Ticket = Readonly<z.infer<typeof ticketRecord>>;

/** Reads a database row, whose columns are in snake case. Throws where the row does not fit. */
export const parseAccount = (row: unknown): Account => accountRecord.parse(toCamelCase(row));
export const parseTransfer = (row: unknown): Transfer => transferRecord.parse(toCamelCase(row));
export const parseTicket = (row: unknown): Ticket => ticketRecord.parse(toCamelCase(row));

function toCamelCase(row: unknown): object {
  const entries = Object.entries(row ?? {}).map(([column, value]): [string, unknown] => [
    column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries);
}
