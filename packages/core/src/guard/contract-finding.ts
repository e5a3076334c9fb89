/** What the contract asks of a tool. */
export type ContractRule =
  | "name"
  | "description"
  | "hidden-text"
  | "input-schema"
  | "output-schema"
  | "argument-description"
  | "free-form"
  | "required"
  | "default"
  | "closed-object"
  | "bounded-string"
  | "annotations"
  | "typed-parser";

/** One point where a tool falls short of its contract. */
export interface ContractFinding {
  readonly rule: ContractRule;
  /** A tool that breaks a `must` does not run under `contract: "enforce"`. */
  readonly severity: "must" | "should";
  /** `server.tool`, or the bare name of a definition that no host has named. */
  readonly tool: string;
  /** JSON pointer into the definition: `/inputSchema/properties/id`. */
  readonly path: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** A finding before the tool's name is put to it. */
export type Finding = Omit<ContractFinding, "tool">;

/** What keeps a tool from running where the contract is enforced. */
export function must(rule: ContractRule, path: string, message: string): Finding {
  return { rule, severity: "must", path, message };
}

/** What could be better. */
export function should(rule: ContractRule, path: string, message: string): Finding {
  return { rule, severity: "should", path, message };
}
