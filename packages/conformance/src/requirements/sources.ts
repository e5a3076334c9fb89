/** What a requirement says, and where it comes from. */
export interface Statement {
  /** A section of the MCP specification, or a guide of Toolrail. */
  readonly source: string;
  /** Whole sentences in the present tense. */
  readonly behaviour: string;
}

/** From the Model Context Protocol, revision 2026-07-28, or from its extension for apps. */
export function mcp(section: string, behaviour: string): Statement {
  return { source: `MCP 2026-07-28, ${section}`, behaviour };
}

/** From a guide of Toolrail, such as `chain`, which takes up the proposal of `_meta.nextTool` for MCP. */
export function guide(name: string, behaviour: string): Statement {
  return { source: `docs/${name}.md`, behaviour };
}
