/** What sentences cost on plain MCP tools, really run. */
export interface RelayMeasure {
  readonly modelCalls: number;
  readonly tokens: number;
  readonly ms: number;
}

/** What the page shows beside the conversation. */
export interface AppView {
  /** For a person to read. */
  readonly model: string;
  readonly pin: string;
  /** Suggests to pay bills. Default false. */
  readonly hasBills?: boolean;
}
