import { z } from "zod";
import type { Widget } from "../bank/meta.ts";
import type { ModelCall } from "../model.ts";

export const mode = z.enum(["ai-sdk", "langgraph", "guard"]);

/** The framework that answers. `"guard"` is the single-step mode on the AI SDK. */
export type Mode = z.infer<typeof mode>;

const id = z.string().min(1).max(100);
export const turnInput = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().trim().min(1).max(4000) }),
  z.strictObject({ type: z.literal("control"), id, value: z.string().max(1000) }),
  z.strictObject({ type: z.literal("approval"), id, approved: z.boolean() }),
]);

/** The actions of the customer. */
export type TurnInput = z.infer<typeof turnInput>;
export type InputOf<Type extends TurnInput["type"]> = TurnInput & { readonly type: Type };

/** One call of a tool, from the moment it is sent. */
export interface HopView {
  /** `server.tool`. */
  readonly tool: string;
  readonly title: string;
  /** The origin: the model, the result before (`nextTool`), the model's pipe, the customer through a control, or this program. */
  readonly by: "model" | "chain" | "pipe" | "customer" | "application";
  readonly state: "running" | "done" | "error" | "refused";
  readonly durationMs?: number;
}

/** A widget as the customer sees it. The calls that it makes stay on the server's side. */
export interface ControlView {
  readonly kind: Widget["type"];
  readonly title: string;
  /** Present for options and confirmations. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly secret?: boolean | undefined;
  readonly unit?: string | undefined;
}

/** A call that the application leaves to a person. */
export interface ApprovalView {
  readonly title: string;
  readonly details: readonly { readonly name: string; readonly value: string }[];
  /** The reason for asking the customer, as a sentence. */
  readonly reason?: string;
  readonly state: "open" | "approved" | "declined";
}

export type NewEntry =
  /** A text that the customer wrote, or a choice in a control. */
  | { readonly type: "user"; readonly text: string; readonly isTyped: boolean }
  /** The model's words, the bank's words to the customer, those of this program, or what the guard did. */
  | { readonly type: "words" | "shown" | "notice" | "guard"; readonly text: string }
  | ({ readonly type: "hop" } & HopView)
  | ({ readonly type: "model" } & Omit<ModelCall, "id">)
  | ({ readonly type: "control"; readonly state: "open" | "answered" } & ControlView)
  | ({ readonly type: "approval" } & ApprovalView);

/** Something in a conversation. */
export type Entry = { readonly id: string } & NewEntry;
export type EntryOf<Type extends Entry["type"]> = Entry & { readonly type: Type };

/** A conversation as the customer sees it. */
export interface ConversationView {
  readonly mode: Mode;
  readonly isBusy: boolean;
  readonly isSignedIn: boolean;
  /** The titles of the tools that a question may call, and those that wait for the customer. Present in guard mode. */
  readonly mayCall?: readonly { readonly title: string; readonly asks: boolean }[];
  readonly entries: readonly Entry[];
  /** The duration of the answers to the customer's texts. Controls ask no model. */
  readonly answerMs: number;
}

export type Log = ReturnType<typeof createLog>;

/** Creates the record of a conversation, with its listeners. */
export function createLog(mode: Mode) {
  const entries: Entry[] = [];
  const listeners = new Set<(view: ConversationView) => void>();
  let view: ConversationView = { mode, entries, isBusy: false, isSignedIn: false, answerMs: 0 };

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
