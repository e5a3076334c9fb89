/** A requirement's text with its source. */
export interface Statement {
  /** A section of the MCP specification, or a guide of Toolrail. */
  readonly source: string;
  /** The behaviour in whole sentences, in the present tense. */
  readonly behaviour: string;
}

/** Cites the Model Context Protocol, revision 2026-07-28, or its extension for apps. */
export function mcp(section: string, behaviour: string): Statement {
  return { source: `MCP 2026-07-28, ${section}`, behaviour };
}

/** Cites a guide of Toolrail. The guide `chain` follows the proposal of `_meta.nextTool` for MCP. */
export function guide(name: string, behaviour: string): Statement {
  return { source: `docs/${name}.md`, behaviour };
}
