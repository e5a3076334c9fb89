import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { BillRefusal, BillStore } from "../bill-store.ts";
import { ADDS, forAll, formatCents, READS, toResult } from "./answer.ts";
import { customerOf } from "./customer.ts";
import { explainRefusal } from "./settle-transfer.ts";

const bill = {
  billId: z.string().min(1).describe("The bill's id, from list_bills."),
  payee: z.string().min(1).describe("Who is paid, as list_bills says."),
  amount: z.number().positive().describe("The amount in dollars, as list_bills says."),
};

export function registerListBills(server: McpServer, bills: BillStore) {
  const config = {
    title: "List bills",
    description: "Lists the customer's bills that are still to be paid.",
    inputSchema: z.strictObject({}),
    outputSchema: z.strictObject({
      bills: z.array(z.strictObject(bill)).describe("All open bills; empty where there are none."),
    }),
    annotations: READS,
  };
  return server.registerTool("list_bills", config, (_args, extra) => {
    const open = bills.listOpen(customerOf(extra)).map(({ billId, payee, amountCents }) => {
      return { billId, payee, amount: amountCents / 100 };
    });
    const structured = { bills: open };
    return toResult({ content: [forAll(JSON.stringify(structured))], structured });
  });
}

export function registerPayBill(server: McpServer, bills: BillStore) {
  const config = {
    title: "Pay bill",
    description:
      "Pays one bill at once. Payee and amount have to be those of the bill, so that whoever " +
      "approves the call sees what is paid.",
    inputSchema: z.strictObject(bill),
    outputSchema: z.strictObject({
      status: z.enum(["paid", "refused"]).describe("Whether the money has moved."),
      reason: z.string().optional().describe("Why not; present with refused."),
      ...bill,
    }),
    annotations: ADDS,
  };
  return server.registerTool("pay_bill", config, (args, extra) => {
    const amountCents = Math.round(args.amount * 100);
    const reason = bills.pay({ ...args, customerId: customerOf(extra), amountCents });
    if (reason) {
      const structured = { status: "refused", reason, ...args };
      return toResult({ content: [forAll(explain(reason))], structured, isError: true });
    }
    const text = `Paid: ${formatCents(amountCents)} to ${args.payee}.`;
    return toResult({ content: [forAll(text)], structured: { status: "paid", ...args } });
  });
}

function explain(reason: BillRefusal): string {
  switch (reason) {
    case "unknown_bill":
      return "There is no such bill. Use an id from list_bills.";
    case "already_paid":
      return "This bill has been paid already; nothing was paid again.";
    case "not_as_billed":
      return "Payee or amount differ from the bill. Use those from list_bills.";
    default:
      return explainRefusal(reason);
  }
}
