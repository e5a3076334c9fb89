/** One point where a server or a tool falls short. */
export interface Finding {
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

/** What makes two findings of two runs the same one; their words may have changed. */
export function findingKey({ severity, server, tool = "", rule, path }: Finding): string {
  return JSON.stringify([severity, server, tool, rule, path]);
}
