// What the page and its server say to each other.
import type { UIMessage } from "ai";

/** Which framework answers. The page is the same for each. */
export type Mode = "ai-sdk" | "langgraph" | "guard";

/** One call of a tool, from the moment it is sent. */
export interface HopView {
  readonly tool: string;
  readonly title: string;
  /** Who asked: the model, the result before (`nextTool`), or the customer through a control. */
  readonly by: "model" | "chain" | "customer" | "application";
  readonly state: "running" | "done" | "error" | "refused";
  readonly durationMs?: number;
}

/** One request to the model, as it was seen on the wire. */
export interface ModelCallView {
  readonly state: "running" | "done" | "error";
  readonly durationMs?: number;
  readonly tokens?: number;
}

/** Content for the user, word for word as the server sent it. */
export type ShownBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly url: string }
  | { readonly type: "link"; readonly url: string; readonly name: string }
  | { readonly type: "other"; readonly name: string };

/** A control that calls its tool without a model. What it calls stays on the server. */
export interface ControlView {
  readonly kind: "options" | "confirmation" | "number" | "datetime" | "text";
  readonly title: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly secret?: boolean;
  /** A day without a time. */
  readonly dateOnly?: boolean;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly min?: string;
  readonly max?: string;
  readonly state: "open" | "busy" | "answered";
  /** What the customer chose, as the customer reads it. */
  readonly answer?: string;
}

/** A call that the application leaves to a person. */
export interface ApprovalView {
  readonly title: string;
  readonly details: readonly { readonly name: string; readonly value: string }[];
  readonly state: "open" | "approved" | "declined" | "left";
}

/** Something that the customer has to know and no tool said. */
export interface NoticeView {
  readonly kind: "problem" | "info";
  readonly text: string;
  /** The customer's own words, where sending them again may help. */
  readonly retryText?: string;
}

export interface Usage {
  readonly modelCalls: number;
  readonly tokens: number;
  /** Of the turns in which the customer wrote; controls ask no model. */
  readonly ms: number;
}

/** The conversation as a whole. */
export interface StatusView {
  readonly usage: Usage;
  readonly hops: { readonly total: number; readonly withoutModel: number };
  readonly tools: readonly string[];
  /** Set while a person of the bank has the conversation. */
  readonly handoff?: { readonly text: string };
  readonly ended?: boolean;
}

export type BankData = {
  hop: HopView;
  model: ModelCallView;
  shown: { readonly blocks: readonly ShownBlock[] };
  control: ControlView;
  approval: ApprovalView;
  notice: NoticeView;
  status: StatusView;
};

export type BankMessage = UIMessage<unknown, BankData>;

/** What the customer did. */
export type TurnInput =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "control"; readonly id: string; readonly value: string }
  | { readonly type: "approval"; readonly id: string; readonly approved: boolean }
  /** Takes the conversation back from the person it was handed to. */
  | { readonly type: "take-back" };

export interface ThreadView {
  readonly id: string;
  readonly mode: Mode;
  readonly messages: readonly BankMessage[];
  readonly status: StatusView;
}

/** The same sentences on plain MCP tools, really run. */
export interface RelayMeasure {
  readonly sentences: number;
  readonly relay: Usage;
}

export interface AppView {
  readonly modes: readonly Mode[];
  readonly model: string;
  readonly hint?: string;
  readonly canMeasureRelay: boolean;
}
