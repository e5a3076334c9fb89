import type { ModelCall } from "../agents/metered-fetch.ts";
import type { ControlView } from "./control.ts";

/** The framework that answers. `"guard"` is the single-step mode on the AI SDK. */
export type Mode = "ai-sdk" | "langgraph" | "guard";

/** One call of a tool, from the moment it is sent. */
export interface HopView {
  /** `server.tool`. */
  readonly tool: string;
  readonly title: string;
  /** The origin of the call: the model, the result before (`nextTool`), the model's pipe, or the customer through a control. */
  readonly by: "model" | "chain" | "pipe" | "customer" | "application";
  readonly state: "running" | "done" | "error" | "refused";
  readonly durationMs?: number;
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
  /** The model's own words. */
  | { readonly type: "words"; readonly text: string }
  /** Content for the user, word for word as the bank sent it. */
  | { readonly type: "shown"; readonly text: string }
  /** A text that is neither the model's nor the bank's. */
  | { readonly type: "notice"; readonly text: string }
  /** The outcome of a question in guard mode. */
  | { readonly type: "guard"; readonly text: string }
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

/** The actions of the customer. */
export type TurnInput =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "control"; readonly id: string; readonly value: string }
  | { readonly type: "approval"; readonly id: string; readonly approved: boolean };
