import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";
import { readToolMessage, type ToolMessage } from "./tool-message.ts";

/** Pays all open bills: in one pipe if the application offers that, else call by call. Reads them first. */
export function payBills(turn: Turn): Decision | undefined {
  const { tools, lastUser, toolResultsSinceUser: results } = turn;
  const list = findTool(tools, "list_bills")?.name;
  const pay = findTool(tools, "pay_bill")?.name;
  if (!/\bbills\b/i.test(lastUser) || !list || !pay) return undefined;
  const last = results.at(-1);
  if (!last) return { toolCalls: [{ name: list, arguments: {} }] };
  const bills = last.name === list ? billsIn(readToolMessage(last.text)) : [];
  if (bills.length > 0) {
    const calls = bills.map((bill) => ({ name: pay, arguments: bill }));
    const pipe = { name: "mcp_pipe", arguments: writePipe(pay, bills) };
    return { toolCalls: findTool(tools, pipe.name) ? [pipe] : calls };
  }
  const text = sayPaid(readToolMessage(results.map((result) => result.text).join("\n")));
  return text === undefined ? undefined : { text };
}

function writePipe(pay: string, bills: readonly object[]) {
  const parallel = bills.map((args, at) => ({ id: `b${at}`, tool: pay, args }));
  const paid = parallel.map(({ id }) => ({ $ref: `steps.paid.children.${id}.structured` }));
  return { steps: [{ id: "paid", parallel }], return: paid };
}

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
