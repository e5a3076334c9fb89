import type { ToolFinding } from "../call/tool.ts";

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
export interface ContractFinding extends ToolFinding {
  readonly rule: ContractRule;
  /** Who asks for it: the MCP specification (2026-07-28), or Toolrail's tool contract beyond it. */
  readonly source: "mcp" | "contract";
}

/** A finding before the tool's name is put to it. */
export type Finding = Omit<ContractFinding, "tool">;

/** Makes the findings at one place of a definition. */
export function at(path: string, source: Finding["source"] = "contract") {
  const of = (severity: Finding["severity"]) => (rule: ContractRule, message: string) => {
    return { rule, severity, source, path, message } satisfies Finding;
  };
  return { must: of("must"), should: of("should") };
}
