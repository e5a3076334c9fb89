import type { Rule, Turn } from "@toolrail/example-offline-model";

// The answers of the fake model, good and bad. The host must withstand all of them.

const call = (tool: string, args: object) =>
  JSON.stringify({ type: "call_tool", tool, arguments: args });

const READ_TICKET = call("tickets.get_ticket", { number: 1042 });

/** The planner's answer by what the user asks. */
const PLANS: readonly (readonly [question: RegExp, plan: string])[] = [
  [/handbook/i, call("documents.fetch_document", { id: "DOC-7" })],
  [/document 9/i, call("documents.fetch_document", { id: "DOC-9" })],
  [/read ticket/i, READ_TICKET],
  [/close ticket/i, call("tickets.close_ticket", { number: 1042, reason: "done" })],
  [/chat about/i, `Of course! Here is my plan: ${READ_TICKET}`],
  [/twice/i, READ_TICKET + READ_TICKET],
  [/explain your plan/i, READ_TICKET.replace("{", '{"why":"I want to",')],
  [/export/i, call("tickets.export_all", {})],
  [/delete/i, call("tickets.delete_everything", {})],
  [/scratch/i, call("documents.scratch", {})],
  [/force/i, call("tickets.close_ticket", { number: 1042, reason: "because", force: true })],
  [/travel/i, call("policies.find_policy", { topic: "travel" })],
  [/policy on passwords/i, call("policies.find_policy", { topic: "passwords" })],
];

const UNSURE = JSON.stringify({
  type: "final_answer",
  needs_more_info: true,
  answer: "Which ticket, document or policy do you mean?",
});

const plan: Rule = ({ messages, lastUser }) => {
  if (!systemText(messages).startsWith("Choose at most one tool")) return undefined;
  const found = PLANS.find(([question]) => question.test(lastUser));
  return { text: found?.[1] ?? UNSURE };
};

/** Two claims that hold, and one with a changed number. */
const summarize: Rule = ({ messages, lastUser }) => {
  if (!systemText(messages).startsWith("Summarise")) return undefined;
  const isHandbook = lastUser.includes("DOC-7");
  const bullets = isHandbook
    ? [
        {
          claim: "The duty desk must be called within 15 minutes.",
          evidence: "Call the duty desk within 15 minutes of an outage.",
        },
        {
          claim: "The duty desk answers since 2026-03-01.",
          evidence: "The duty desk has answered since 2026-03-01.",
        },
        {
          claim: "Recovery took 2 hours last year.",
          evidence: "Without a rehearsal, recovery took 6 hours last year.",
        },
      ]
    : [{ claim: "All is well.", evidence: "e" }];
  return { text: JSON.stringify({ type: "summary", bullets }) };
};

/** If the fake model has the tools itself, it asks for three calls at once, and again after the first. */
const callTools: Rule = ({ tools, lastUser }) => {
  if (tools.length === 0 || !/read ticket/i.test(lastUser)) return undefined;
  return {
    toolCalls: [
      { name: "get_ticket", arguments: { number: 1042 } },
      { name: "close_ticket", arguments: { number: 1042, reason: "done" } },
      { name: "get_ticket", arguments: { number: 7 } },
    ],
  };
};

const answer: Rule = ({ toolResultsSinceUser }) => {
  const [result] = toolResultsSinceUser;
  return result && { text: `The ticket says: ${result.text}` };
};

export const plannerRules: readonly Rule[] = [plan, summarize, callTools, answer];

function systemText(messages: Turn["messages"]): string {
  const content = messages.find(({ role }) => role === "system")?.content;
  return typeof content === "string" ? content : "";
}
