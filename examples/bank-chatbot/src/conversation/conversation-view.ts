import type { ModelCall } from "../agents/metered-fetch.ts";
import type { ControlView } from "./control.ts";

/** Which framework answers; `"guard"` is the single-step mode on the AI SDK. */
export type Mode = "ai-sdk" | "langgraph" | "guard";

/** One call of a tool, from the moment it is sent. */
export interface HopView {
  /** `server.tool`. */
  readonly tool: string;
  readonly title: string;
  /** Who asked: the model, the result before (`nextTool`), the model's pipe, or the customer through a control. */
  readonly by: "model" | "chain" | "pipe" | "customer" | "application";
  readonly state: "running" | "done" | "error" | "refused";
  readonly durationMs?: number;
}

/** A call that the application leaves to a person. */
export interface ApprovalView {
  readonly title: string;
  readonly details: readonly { readonly name: string; readonly value: string }[];
  /** Why the customer is asked, as a sentence. */
  readonly reason?: string;
  readonly state: "open" | "approved" | "declined";
}

export type NewEntry =
  /** What the customer wrote, or chose in a control. */
  | { readonly type: "user"; readonly text: string; readonly isTyped: boolean }
  /** The model's own words. */
  | { readonly type: "words"; readonly text: string }
  /** Content for the user, word for word as the bank sent it. */
  | { readonly type: "shown"; readonly text: string }
  /** What neither the model nor the bank said. */
  | { readonly type: "notice"; readonly text: string }
  /** What the guard did about a question, in guard mode. */
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
  /** In guard mode: the tools that a question may call, by their titles, and which wait for the customer. */
  readonly mayCall?: readonly { readonly title: string; readonly asks: boolean }[];
  readonly entries: readonly Entry[];
  /** How long the answers to what the customer wrote took; controls ask no model. */
  readonly answerMs: number;
}

/** What the customer did. */
export type TurnInput =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "control"; readonly id: string; readonly value: string }
  | { readonly type: "approval"; readonly id: string; readonly approved: boolean };
