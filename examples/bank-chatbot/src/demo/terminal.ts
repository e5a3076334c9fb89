import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import type { TurnInput } from "../conversation/conversation-view.ts";
import { type Rails, sumCosts, type TurnReport } from "./both-ways.ts";

const ASKED_BY = {
  model: "the model asked for it",
  chain: "nextTool asked for it, no model",
  pipe: "a step of a pipe, no model",
  customer: "the customer asked, no model",
};

/** Prints to stdout, in colours if the terminal has them. */
export function print(text: string, ...styles: Extract<Style, readonly unknown[]>): void {
  console.log(styleText(styles, text));
}

type Style = Parameters<typeof styleText>[0];

/** One turn as a person reads it. */
export function printTurn(turn: TurnReport): void {
  print(`\nCustomer  ${turn.user}`, "bold");
  for (const [index, { tool, by, durationMs, isError }] of turn.hops.entries()) {
    const time = durationMs === undefined ? "" : `${durationMs.toFixed(1)} ms`.padStart(10);
    const line = `${tool.padEnd(28)} ${ASKED_BY[by].padEnd(34)}${time}${isError ? "  error" : ""}`;
    print(`  hop ${index + 1}   ${line}`, by === "model" ? "yellow" : "green");
  }
  for (const text of turn.shown) print(toBlock("shown to the customer", text));
  for (const text of turn.modelRead) print(toBlock("read by the model", text), "dim");
  print(`  model calls ${turn.modelCalls}, tokens ${turn.tokens}`, "cyan");
}

/** The lines of a text below each other, with the label before the first. */
function toBlock(label: string, text: string): string {
  return `  ${label.padEnd(22)} ${text.replaceAll("\n", `\n${"".padEnd(25)}`)}`;
}

/** The ways through the conversation, side by side. */
export function printComparison(ways: Readonly<Record<string, readonly TurnReport[]>>): void {
  print("\nSide by side", "bold");
  print(`  ${"".padEnd(34)}${"model calls".padStart(12)}${"tokens".padStart(10)}`);
  for (const [name, turns] of Object.entries(ways)) {
    const { modelCalls, tokens } = sumCosts(turns);
    print(`  ${name.padEnd(34)}${`${modelCalls}`.padStart(12)}${`${tokens}`.padStart(10)}`);
  }
}

/** Runs a chat in the terminal until the customer takes leave or closes the input. */
export async function chat(rails: Rails, signal: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  print('\nNow it is your turn. Ask for balances or transfers; "bye" or Ctrl-C ends it.', "bold");
  try {
    for (;;) {
      const text = (await terminal.question("\nyou> ", { signal })).trim();
      if (/^(bye|exit|quit)$/i.test(text)) return;
      if (!text) continue;
      const turn = await rails.take(toInput(rails.findQuestion(), text));
      printTurn({ ...turn, user: turn.user || text });
      printQuestion(rails.findQuestion());
    }
  } catch (error) {
    // The input ended while a question was open.
    const isClosed = error instanceof Error && "code" in error && error.code === "ABORT_ERR";
    if (!signal.aborted && !isClosed) throw error;
  } finally {
    terminal.close();
  }
}

type Question = ReturnType<Rails["findQuestion"]>;

/** Answers the open question with a choice, by its number or label, or with a number if there are none. Other texts are for the model. */
function toInput(question: Question, text: string): TurnInput {
  const isChosen = (label: string, index: number) =>
    [`${index + 1}`, label.toLowerCase()].includes(text.toLowerCase());
  const number = /^\d+(\.\d+)?$/.exec(text)?.[0];
  const value = question?.choices ? question.choices.find(isChosen) : number;
  if (!question || value === undefined) return { type: "text", text };
  return { type: "answer", id: question.id, value };
}

function printQuestion(question: Question): void {
  if (!question) return;
  const { kind, title, details = [], reason = "", choices } = question;
  print(`\n  ${title}`, "bold");
  for (const { name, value } of details) print(`    ${name}: ${value}`);
  if (kind === "approval") print(`  The assistant needs your approval. ${reason}`.trimEnd());
  print(choices ? "  Type one of these, or its number:" : "  Type a number.");
  for (const [index, label] of choices?.entries() ?? []) print(`    ${index + 1}  ${label}`);
}
