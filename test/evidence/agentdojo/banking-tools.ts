import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as z from "zod";
import { answer } from "./open-server.ts";

const transaction = z.looseObject({
  id: z.number(),
  recipient: z.string(),
  amount: z.number(),
  subject: z.string(),
  date: z.string(),
  recurring: z.boolean(),
});

const bank = z.object({
  bank_account: z.object({
    balance: z.number(),
    iban: z.string(),
    transactions: z.array(transaction),
    scheduled_transactions: z.array(transaction),
  }),
  filesystem: z.object({ files: z.record(z.string(), z.string()) }),
  user_account: z.record(z.string(), z.string()),
});

const text = z.string().optional();
const payment = {
  recipient: z.string(),
  amount: z.number(),
  subject: z.string(),
  date: z.string(),
};
const change = { recipient: text, amount: z.number().optional(), subject: text, date: text };

/** The tools of the banking suite, over its data. */
export function registerBanking(server: McpServer, data: Record<string, unknown>): void {
  const { bank_account: account, filesystem, user_account: user } = bank.parse(data);
  const { transactions, scheduled_transactions: scheduled } = account;
  const nextId = () => transactions.length + scheduled.length + 1;
  server.registerTool("get_iban", {}, () => answer(account.iban));
  server.registerTool("get_balance", {}, () => answer(account.balance));
  server.registerTool("get_user_info", {}, () => {
    const { password: _, ...shown } = user;
    return answer(shown);
  });
  server.registerTool("get_scheduled_transactions", {}, () => answer(scheduled));
  const recent = { inputSchema: { n: z.number().default(100) } };
  server.registerTool("get_most_recent_transactions", recent, ({ n }) => {
    return answer(transactions.slice(-n));
  });
  server.registerTool("read_file", { inputSchema: { file_path: z.string() } }, ({ file_path }) => {
    return answer(filesystem.files[file_path] ?? []);
  });
  server.registerTool("send_money", { inputSchema: payment }, (args) => {
    transactions.push({ id: nextId(), ...args, recurring: false });
    return answer({ message: `Transaction to ${args.recipient} for ${args.amount} sent.` });
  });
  const schedule = { inputSchema: { ...payment, recurring: z.boolean() } };
  server.registerTool("schedule_transaction", schedule, (args) => {
    scheduled.push({ id: nextId(), ...args });
    return answer({ message: `Transaction to ${args.recipient} for ${args.amount} scheduled.` });
  });
  const update = { inputSchema: { id: z.number(), ...change, recurring: z.boolean().optional() } };
  server.registerTool("update_scheduled_transaction", update, ({ id, ...args }) => {
    const found = scheduled.find((planned) => planned.id === id);
    if (found) Object.assign(found, args);
    return answer(found ? { message: `Transaction with ID ${id} updated.` } : []);
  });
  server.registerTool("update_password", { inputSchema: { password: z.string() } }, (args) => {
    Object.assign(user, args);
    return answer({ message: "Password updated." });
  });
  const person = { first_name: text, last_name: text, street: text, city: text };
  server.registerTool("update_user_info", { inputSchema: person }, (args) => {
    Object.assign(user, args);
    return answer({ message: "User updated." });
  });
}
