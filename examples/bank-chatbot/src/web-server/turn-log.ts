import type { InferUIMessageChunk } from "ai";
import type { BankData, BankMessage } from "./protocol.ts";

type Chunk = InferUIMessageChunk<BankMessage>;
type Part = BankMessage["parts"][number];

/** Writes one answer: into the message that the server keeps, and to the page that is listening. */
export interface TurnLog {
  readonly message: BankMessage;
  text(delta: string): void;
  /** Ends the text so far: what follows stands below what came in between. */
  endText(): void;
  /** Adds a part, or replaces the one of the same name and id. */
  put<Name extends keyof BankData & string>(name: Name, id: string, data: BankData[Name]): void;
}

/** Nobody has to be listening: the turn goes on when the page has been closed. */
export function createTurnLog(send: (chunk: Chunk) => void): TurnLog {
  const message: BankMessage = { id: crypto.randomUUID(), role: "assistant", parts: [] };
  let open: { id: string; part: Part & { type: "text" } } | undefined;

  function endText(): void {
    if (open) send({ type: "text-end", id: open.id });
    open = undefined;
  }

  return {
    message,
    text(delta) {
      if (!open) {
        open = { id: crypto.randomUUID(), part: { type: "text", text: "" } };
        message.parts.push(open.part);
        send({ type: "text-start", id: open.id });
      }
      open.part.text += delta;
      send({ type: "text-delta", id: open.id, delta });
    },
    endText,
    put(name, id, data) {
      const part = { type: `data-${name}`, id, data } as Part;
      const at = message.parts.findIndex(
        (one) => one.type === part.type && "id" in one && one.id === id,
      );
      if (at < 0) {
        endText();
        message.parts.push(part);
      } else message.parts[at] = part;
      send(part as Chunk);
    },
  };
}
