/**
 * Who asks for it, as reports head it: the MCP specification (what it requires, and what keeps a host or
 * a large provider from using a server or a tool), or Toolrail's tool contract beyond it.
 */
export const PROFILES = { mcp: "MCP specification", contract: "Tool contract" } as const;

export type Profile = keyof typeof PROFILES;

/** One point where a server or a tool falls short. */
export interface Finding {
  readonly profile: Profile;
  /** A `must` makes the check fail. */
  readonly severity: "must" | "should";
  readonly server: string;
  /** Absent for what is wrong with the server as a whole. */
  readonly tool?: string;
  readonly rule: string;
  /** JSON pointer into the tool's definition, or the kind of arguments that it was called with. */
  readonly path: string;
  /** What is wrong and what to change. */
  readonly message: string;
}
