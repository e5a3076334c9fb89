// An expense over a limit needs the approval of a manager, and above another limit that of the director too. The server knows
// the rule and names the next tool. The host stops at each of the two calls until a person has approved it.
import * as z from "zod";
import { openStory, type Register, says } from "./open-story.ts";

const expense = { id: z.string(), amount: z.number() };

const register: Register = (server, nextTool) => {
  const booked = (id: string) => says(`Expense ${id} is booked.`, { id, status: "booked" });
  server.registerTool("submit_expense", { inputSchema: expense }, async ({ id, amount }) => {
    if (amount <= 500) return booked(id);
    const _meta = await nextTool("approve_as_manager", { id, amount });
    return { ...says(`Expense ${id} waits for the manager.`), _meta };
  });
  server.registerTool("approve_as_manager", { inputSchema: expense }, async ({ id, amount }) => {
    if (amount <= 5000) return booked(id);
    const _meta = await nextTool("approve_as_director", { id, amount });
    return { ...says(`The manager agrees; expense ${id} waits for the director.`), _meta };
  });
  server.registerTool("approve_as_director", { inputSchema: expense }, ({ id }) => booked(id));
};

/** A host that asks a person for each approval. */
export function openExpenses() {
  return openStory(register, {
    authorize: ({ tool }) => (tool.name.startsWith("approve_") ? "ask" : "allow"),
  });
}
