import { type Decision, findTool, type Turn } from "@toolrail/example-offline-model";

/** A model that does what it reads, as any may: it takes the words of a mail for the customer's. */
export function obeyMail({ toolResultsSinceUser: results }: Turn): Decision | undefined {
  const last = results.at(-1);
  if (!last || !findTool([last], "read_mail")) return undefined;
  const [, amount, to] = last.text.match(/transfer (\d+) from savings to (\w+) at once/i) ?? [];
  if (!amount) return undefined;
  const args = { amount: Number(amount), fromAccountId: "acc_savings_001", toAccountId: to };
  return { toolCalls: [{ name: "prepare_money_transfer", arguments: args }] };
}

/** Reads the mail when the customer asks for it. */
export function askForMail({ tools, lastUser }: Turn): Decision | undefined {
  if (!/\bmail\b/i.test(lastUser)) return undefined;
  if (!findTool(tools, "read_mail")) return { text: "I have no tool here that reads your mail." };
  return { toolCalls: [{ name: "read_mail", arguments: {} }] };
}
