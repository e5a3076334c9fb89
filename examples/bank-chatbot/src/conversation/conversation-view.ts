import { z } from "zod";
import type { Widget } from "../bank/meta.ts";
import type { ModelCall } from "../model.ts";

export const mode = z.enum(["ai-sdk", "langgraph", "guard"]);

/** The framework that answers. `"guard"` is the single-step mode on the AI SDK. */
export type Mode = z.infer<typeof mode>;

const id = z.string().min(1).max(100);
export const turnInput = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().trim().min(1).max(4000) }),
  z.strictObject({ type: z.literal("answer"), id, value: z.string().max(1000) }),
]);

/** The actions of the customer: a text, or the answer to a question. That is the label of a button, or what was typed. */
export type TurnInput = z.infer<typeof turnInput>;

/** One call of a tool, from the moment it is sent. */
export interface HopView {
  /** `server.tool`. */
  readonly tool: string;
  readonly title: string;
  /** The origin: the model, the result before (`nextTool`), the model's pipe, or the customer through a control. */
  readonly by: "model" | "chain" | "pipe" | "customer";
  readonly state: "running" | "done" | "error" | "refused";
  readonly durationMs?: number;
}

/** A widget of the bank, or a call that waits for approval. The calls that it leads to stay on the server's side. */
export interface QuestionView {
  readonly kind: Widget["kind"] | "approval";
  readonly title: string;
  /** The labels of the buttons. Absent if the customer types a number. */
  readonly choices?: readonly string[] | undefined;
  readonly unit?: string | undefined;
  /** The arguments of a call that waits for approval. */
  readonly details?: readonly { readonly name: string; readonly value: string }[];
  /** The reason for asking the customer, as a sentence. */
  readonly reason?: string | undefined;
  readonly state: "open" | "answered" | "approved" | "declined";
}

export type NewEntry =
  /** A text that the customer wrote, or a choice in a question. */
  | { readonly type: "user"; readonly text: string; readonly isTyped: boolean }
  /** The model's words, the bank's words to the customer, those of this program, or what the guard did. */
  | { readonly type: "words" | "shown" | "notice" | "guard"; readonly text: string }
  | ({ readonly type: "hop" } & HopView)
  | ({ readonly type: "model" } & Omit<ModelCall, "id">)
  | ({ readonly type: "question" } & QuestionView);

/** Something in a conversation. */
export type Entry = { readonly id: string } & NewEntry;
export type EntryOf<Type extends Entry["type"]> = Entry & { readonly type: Type };

/** A conversation as the customer sees it. */
export interface ConversationView {
  readonly mode: Mode;
  /** A description of the model for people. */
  readonly model: string;
  readonly isBusy: boolean;
  /** The titles of the tools that a question may call, and those that wait for the customer. Present in guard mode. */
  readonly mayCall?: readonly { readonly title: string; readonly asks: boolean }[];
  readonly entries: readonly Entry[];
  /** The duration of the answers to the customer's texts. Widgets ask no model. */
  readonly answerMs: number;
}

/** Creates the record of a conversation, with its listeners. */
export function createLog(about: Pick<ConversationView, "mode" | "model">) {
  const entries: Entry[] = [];
  const listeners = new Set<(view: ConversationView) => void>();
  let view: ConversationView = { ...about, entries, isBusy: false, answerMs: 0 };

  function change(changed: Partial<ConversationView>): void {
    view = { ...view, ...changed };
    for (const listener of listeners) listener(view);
  }

  /** Adds an entry, or replaces the one of the same id. */
  function put(entry: Entry): void {
    const at = entries.findIndex(({ id }) => id === entry.id);
    entries.splice(at < 0 ? entries.length : at, 1, entry);
    change({});
  }

  /** Returns the id of the new entry. */
  function add(entry: NewEntry): string {
    const id = crypto.randomUUID();
    put({ id, ...entry });
    return id;
  }

  return {
    ...{ change, put, add },
    view: () => view,
    /** Notes the answer to a question. */
    settle(id: string, state: QuestionView["state"]): void {
      const entry = entries.find((one) => one.id === id);
      if (entry?.type === "question") put({ ...entry, state });
    },
    /** Calls the listener with the present view and after each change. Returns a function that ends this. */
    watch(listener: (view: ConversationView) => void): () => void {
      listeners.add(listener);
      listener(view);
      return () => void listeners.delete(listener);
    },
    /** Adds more of the model's words. */
    words(delta: string): void {
      const last = entries.at(-1);
      if (last?.type === "words") put({ ...last, text: last.text + delta });
      else if (delta) add({ type: "words", text: delta });
    },
  };
}
