import { createInterface } from "node:readline/promises";
import type { BankAgent, TurnReport, Widget, WidgetChoice } from "../agents/bank-agent.ts";
import { print, printTurn } from "./print-turn.ts";

/** A chat in the terminal, until the customer says goodbye or closes the input. */
export async function chat(agent: BankAgent, signal: AbortSignal): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  print();
  print('Now it is your turn. Ask for balances or transfers; "bye" or Ctrl-C ends it.', "bold");
  let widget: Widget | undefined;
  try {
    for (;;) {
      const text = (await terminal.question("\nyou> ", { signal })).trim();
      if (/^(bye|exit|quit)$/i.test(text)) return;
      if (!text) continue;
      const turn = await answer(agent, widget, text, signal);
      printTurn(turn);
      widget = turn.widget;
      if (widget) printWidget(widget);
    }
  } catch (error) {
    if (!signal.aborted && !isClosed(error)) throw error;
  } finally {
    terminal.close();
  }
}

/** A number picks from the choices on offer; anything else is for the model. */
function answer(
  agent: BankAgent,
  widget: Widget | undefined,
  text: string,
  signal: AbortSignal,
): Promise<TurnReport> {
  const choice = widget?.choices[Number(text) - 1] ?? byLabel(widget, text);
  return choice && agent.choose ? agent.choose(choice) : agent.say(text, signal);
}

function byLabel(widget: Widget | undefined, text: string): WidgetChoice | undefined {
  return widget?.choices.find(({ label }) => label.toLowerCase() === text.toLowerCase());
}

function printWidget({ title, choices }: Widget): void {
  print(`\n  ${title}`, "bold");
  choices.forEach(({ label }, index) => {
    print(`    ${index + 1}  ${label}`);
  });
}

/** True when the input ended while a question was open. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "ABORT_ERR";
}
