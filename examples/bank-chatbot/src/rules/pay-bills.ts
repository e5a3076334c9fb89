import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";
import { readToolMessage, type ToolMessage } from "./tool-message.ts";

/** Pays all open bills: in one pipe if the application offers that, else call by call. */
export function payBills(turn: Turn): Decision | undefined {
  const { tools, lastUser, toolResultsSinceUser: results } = turn;
  const list = findTool(tools, "list_bills")?.name;
  const pay = findTool(tools, "pay_bill")?.name;
  if (!/\bbills\b/i.test(lastUser) || !list || !pay) return undefined;
  const last = results.at(-1);
  if (!last) {
    const pipe = { name: "mcp_pipe", arguments: writePipe(list, pay) };
    const isOffered = findTool(tools, pipe.name) !== undefined;
    return { toolCalls: [isOffered ? pipe : { name: list, arguments: {} }] };
  }
  const bills = last.name === list ? billsIn(readToolMessage(last.text)) : [];
  if (bills.length > 0) return { toolCalls: bills.map((bill) => ({ name: pay, arguments: bill })) };
  const text = sayPaid(readToolMessage(results.map((result) => result.text).join("\n")));
  return text === undefined ? undefined : { text };
}

function writePipe(list: string, pay: string) {
  const args = { billId: ref("bill.billId"), payee: ref("bill.payee"), amount: ref("bill.amount") };
  const bills = { id: "bills", tool: list, args: {} };
  const each = { for_each: ref("steps.bills.structured.bills"), as: "bill" };
  const paid = { id: "paid", ...each, do: { tool: pay, args } };
  return { steps: [bills, paid], return: { $cel: "steps.paid.items.map(i, i.structured)" } };
}

const ref = (path: string) => ({ $ref: path });

function billsIn({ objects }: ToolMessage) {
  return objects.flatMap(({ billId, payee, amount }) =>
    billId === undefined ? [] : [{ billId, payee, amount }],
  );
}

function sayPaid({ text, objects }: ToolMessage): string | undefined {
  const failure = objects.find(({ ok }) => ok === false)?.error;
  if (failure !== undefined) return `I could not pay all of your bills: ${failure}`;
  const paid = objects.filter(({ status }) => status === "paid");
  const lines = paid.map(({ payee, amount }) => `- ${payee}: $${Number(amount).toFixed(2)}`);
  if (lines.length > 0) return `These bills are paid:\n${lines.join("\n")}`;
  return text === "" ? "There are no bills to pay." : undefined;
}
