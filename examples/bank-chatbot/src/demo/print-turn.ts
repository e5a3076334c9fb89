import { styleText } from "node:util";
import type { ReportedHop, TurnReport } from "./turn-report.ts";

type Style = Parameters<typeof styleText>[0];

const ASKED_BY = {
  model: "the model asked for it",
  chain: "nextTool asked for it, no model",
  pipe: "a step of a pipe, no model",
  customer: "the customer asked, no model",
  application: "the application asked, no model",
};

/** Prints to stdout, in colours if the terminal has them. */
export function print(text = "", style?: Style): void {
  console.log(style ? styleText(style, text) : text);
}

/** One turn as a person reads it. */
export function printTurn(turn: TurnReport): void {
  print();
  print(`Customer  ${turn.user}`, "bold");
  turn.hops.forEach((hop, index) => {
    print(`  hop ${index + 1}   ${toHopLine(hop)}`, hop.by === "model" ? "yellow" : "green");
  });
  for (const text of turn.shown) print(toBlock("shown to the customer", text));
  for (const text of turn.modelRead) print(toBlock("read by the model", text), "dim");
  print(`  model calls ${turn.modelCalls}, tokens ${turn.tokens}`, "cyan");
}

function toHopLine({ tool, by, durationMs, isError }: ReportedHop): string {
  const time = durationMs === undefined ? "" : `${durationMs.toFixed(1)} ms`.padStart(10);
  return `${tool.padEnd(28)} ${ASKED_BY[by].padEnd(34)}${time}${isError ? "  error" : ""}`;
}

/** The lines of a text below each other, with the label before the first, as wide as the terminal is. */
function toBlock(label: string, text: string): string {
  const lines = text.split("\n").flatMap(wrap);
  return `  ${label.padEnd(22)} ${lines.join(`\n${"".padEnd(25)}`)}`;
}

function wrap(line: string): string[] {
  const { columns } = process.stdout; // The number is absent if the output is no terminal.
  if (!columns) return [line];
  const width = Math.max(columns - 25, 20);
  return (
    line
      .match(new RegExp(`.{1,${width}}(?=\\s|$)|.{1,${width}}`, "g"))
      ?.map((part) => part.trimStart()) ?? [""]
  );
}

/** Both ways through the conversation, side by side. */
export function printComparison(
  onRails: readonly TurnReport[],
  relayed: readonly TurnReport[],
): void {
  print();
  print("Side by side", "bold");
  print(`  ${"".padEnd(34)}${"model calls".padStart(12)}${"tokens".padStart(10)}`);
  for (const [name, turns] of [
    ["with Toolrail", onRails],
    ["relayed by the model (plain tools)", relayed],
  ] as const) {
    const calls = sum(turns, (turn) => turn.modelCalls);
    const tokens = sum(turns, (turn) => turn.tokens);
    print(`  ${name.padEnd(34)}${String(calls).padStart(12)}${String(tokens).padStart(10)}`);
  }
}

function sum(turns: readonly TurnReport[], of: (turn: TurnReport) => number): number {
  return turns.reduce((total, turn) => total + of(turn), 0);
}
