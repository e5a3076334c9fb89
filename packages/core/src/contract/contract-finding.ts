import type { ToolFinding } from "../types/tool.ts";

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

type Add = (
  rule: ContractRule,
  found: Pick<ContractFinding, "path" | "message"> & Partial<Pick<ContractFinding, "source">>,
) => void;

/** Takes the findings of a tool. The source of one is the contract, if it does not say otherwise. */
export type Report = Readonly<Record<ContractFinding["severity"], Add>>;
