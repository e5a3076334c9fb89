import type { ToolFinding } from "../types/tool.ts";

/** The name of a requirement on a tool. */
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

/** A requirement that a tool breaks. */
export interface ContractFinding extends ToolFinding {
  readonly rule: ContractRule;
  /** The source of the requirement: the MCP specification (2026-07-28), or Toolrail's stricter tool contract. */
  readonly source: "mcp" | "contract";
}

type Add = (
  rule: ContractRule,
  found: Pick<ContractFinding, "path" | "message"> & Partial<Pick<ContractFinding, "source">>,
) => void;

/** Adds a finding about a tool. The default `source` is `"contract"`. */
export type Report = Readonly<Record<ContractFinding["severity"], Add>>;
