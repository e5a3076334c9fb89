import type { BankMessage, HopView } from "../src/web-server/protocol.ts";
import { toTime } from "./to-time.ts";

export type Lane = "you" | "model" | "bank";

/** One line of the picture: who turned to whom, and why. */
export interface TraceRow {
  readonly id: string;
  readonly from: Lane;
  readonly to: Lane;
  readonly kind: "words" | "call" | "chain" | "shown" | "refused";
  readonly label: string;
}

/** What fits between two lanes, in characters. */
const MAX_NAME = 28;

/** Every move of the conversation, in order. */
export function toTraceRows(messages: readonly BankMessage[]): TraceRow[] {
  return messages.flatMap((message) => {
    if (message.role === "user") return [];
    const asksModel = message.parts.some(({ type }) => type === "data-model");
    const rows = message.parts.flatMap(
      (part, index) => toRow(part, `${message.id}-${index}`) ?? [],
    );
    const asked: TraceRow = {
      ...{ id: `${message.id}-asked`, from: "you", to: "model", kind: "words" },
      label: "your words",
    };
    return asksModel ? [asked, ...rows] : rows;
  });
}

function toRow(part: BankMessage["parts"][number], id: string): TraceRow | undefined {
  switch (part.type) {
    case "data-hop":
      return toHopRow(part.data, id);
    case "data-shown":
      return { id, from: "bank", to: "you", kind: "shown", label: "word for word" };
    case "text":
      return part.text
        ? { id, from: "model", to: "you", kind: "words", label: "answer" }
        : undefined;
    default:
      return undefined;
  }
}

function toHopRow({ tool, by, state, durationMs }: HopView, id: string): TraceRow {
  const whole = tool.slice(tool.indexOf(".") + 1);
  const name = whole.length > MAX_NAME ? `${whole.slice(0, MAX_NAME - 1)}…` : whole;
  const label = durationMs === undefined ? `${name} …` : `${name} · ${toTime(durationMs)}`;
  const kind =
    state === "refused" || state === "error" ? "refused" : by === "chain" ? "chain" : "call";
  const from = by === "chain" ? "bank" : by === "model" ? "model" : "you";
  return { id, from, to: "bank", kind, label };
}

/** The same in words, for those who cannot see the picture. */
export function toTraceText(rows: readonly TraceRow[]): string {
  const names = { you: "you", model: "the model", bank: "the bank" };
  return rows
    .map(({ from, to, kind, label }) =>
      kind === "chain"
        ? `the bank's answer leads straight to ${label}`
        : `${names[from]} to ${names[to]}: ${label}`,
    )
    .join("; ");
}
