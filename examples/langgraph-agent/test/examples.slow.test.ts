import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

/** What an example prints, run as its first lines say. Rejects unless it exits with 0. */
async function outputOf(file: string, profile: string): Promise<string> {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const { OPENAI_API_KEY: _, ...own } = process.env;
  const env = { ...own, OFFLINE_PROFILE: profile };
  const { stdout } = await run(process.execPath, ["--conditions=@toolrail/source", path], { env });
  return stdout;
}

const CONVERSATION = `
customer  Which accounts do I have?
  model   list_accounts
assistant Your accounts:
- Primary Checking
- High Yield Savings
- Everyday Current
- Vacation Fund
model calls: 2

customer  Please transfer 250 from my primary checking to my savings.
  model   prepare_money_transfer
  shown   I'm sorry, but your Primary Checking account is currently locked. You'll need to speak with a customer service agent before you can transfer money from it.
  chain   request_agent_handoff
assistant An agent can help you with this. Would you like a call-back, or a chat now?
model calls: 2
APPROVAL
customer  My primary checking account seems to be blocked. Can you check it?
  model   check_account_issue
  chain   initiate_human_handoff
assistant This needs a specialist, who will contact you. Your ticket is TICKET.
model calls: 2
`;

it.each([
  ["create-agent.ts", ""],
  ["state-graph.ts", "\napproved  initiate_human_handoff\n"],
])("%s chains the bank's tools, and asks the model twice a turn", async (file, approval) => {
  for (const profile of ["openai", "anthropic", "gemini"]) {
    const output = (await outputOf(file, profile)).replace(/\bT-\d+/, "TICKET");
    expect(output).toBe(CONVERSATION.replace("APPROVAL\n", `${approval}\n`));
  }
});
