import { createInterface } from "node:readline/promises";
import type { TurnInput } from "../conversation/conversation-view.ts";
import { print, printTurn } from "./print-turn.ts";
import type { Rails } from "./rails.ts";

/** Runs a chat in the terminal until the customer takes leave or closes the input. */
export async function chat(rails: Rails, signal: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  print();
  print('Now it is your turn. Ask for balances or transfers; "bye" or Ctrl-C ends it.', "bold");
  try {
    for (;;) {
      const text = (await terminal.question("\nyou> ", { signal })).trim();
      if (/^(bye|exit|quit)$/i.test(text)) return;
      if (!text) continue;
      const turn = await rails.take(toInput(rails, text));
      printTurn({ ...turn, user: turn.user || text });
      printQuestion(rails);
    }
  } catch (error) {
    // The input ended while a question was open.
    const isClosed = error instanceof Error && "code" in error && error.code === "ABORT_ERR";
    if (!signal.aborted && !isClosed) throw error;
  } finally {
    terminal.close();
  }
}

const DECISIONS = [
  { value: "approve", label: "Approve" },
  { value: "decline", label: "Decline" },
];

type Question = NonNullable<ReturnType<Rails["question"]>>;

const choicesOf = (question: Question) =>
  question.type === "approval" ? DECISIONS : question.choices;

/** Answers the open question if the text does that. All other texts are for the model. */
function toInput(rails: Rails, text: string): TurnInput {
  const question = rails.question();
  const value = question && toValue(choicesOf(question), text);
  if (!question || value === undefined) return { type: "text", text };
  const { type, id } = question;
  return type === "control" ? { type, id, value } : { type, id, approved: value === "approve" };
}

/** Finds the choice that a number or a label means. Without choices, a number itself is the answer. */
function toValue(choices: ReturnType<typeof choicesOf>, text: string): string | undefined {
  if (!choices) return /^\d+(\.\d+)?$/.test(text) ? text : undefined;
  const wanted = text.toLowerCase();
  const picked = choices.find(
    ({ label }, index) => wanted === `${index + 1}` || wanted === label.toLowerCase(),
  );
  return picked?.value;
}

function printQuestion(rails: Rails): void {
  const question = rails.question();
  if (!question) return;
  print(`\n  ${question.title}`, "bold");
  if (question.type === "approval") {
    for (const { name, value } of question.details) print(`    ${name}: ${value}`);
    print(`  The assistant needs your approval. ${question.reason ?? ""}`.trimEnd());
  }
  print(choicesOf(question) ? "  Type one of these, or its number:" : "  Type a number.");
  choicesOf(question)?.forEach(({ label }, index) => {
    print(`    ${index + 1}  ${label}`);
  });
}
