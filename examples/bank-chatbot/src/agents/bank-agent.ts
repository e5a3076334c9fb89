/** One call of a tool, as a turn reports it. */
export interface ReportedHop {
  readonly tool: string;
  /** Who asked for it: a model, or the `nextTool` of the call before. */
  readonly by: "model" | "chain" | "application";
  /** Absent where the framework does not tell. */
  readonly durationMs?: number;
  readonly isError: boolean;
}

/** A choice that a tool asks of the customer: the application shows it and calls `tool` with the answer. */
export interface Widget {
  readonly title: string;
  readonly choices: readonly WidgetChoice[];
}

export interface WidgetChoice {
  readonly label: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What happened in one turn of a conversation. */
export interface TurnReport {
  readonly user: string;
  /** What the customer was shown: content for the user word for word, then the model's own words. */
  readonly shown: readonly string[];
  readonly hops: readonly ReportedHop[];
  /** What the model read of the tools' results. */
  readonly modelRead: readonly string[];
  readonly modelCalls: number;
  readonly tokens: number;
  readonly widget?: Widget;
}

/** A chatbot of the bank, whatever framework it is built with. */
export interface BankAgent {
  say(text: string, signal?: AbortSignal): Promise<TurnReport>;
  /** The customer picked a choice: the application calls its tool, and no model is asked. */
  choose?(choice: WidgetChoice): Promise<TurnReport>;
  close(): Promise<void>;
}
