/** The measured costs of the sentences with plain MCP tools. */
export interface RelayMeasure {
  readonly modelCalls: number;
  readonly tokens: number;
  readonly ms: number;
}

/** The data that the page shows beside the conversation. */
export interface AppView {
  /** A description for people. */
  readonly model: string;
  readonly pin: string;
}
