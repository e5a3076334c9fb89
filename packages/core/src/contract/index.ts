/** What a tool must say of itself, and pins that hold a server to the tools it had: plugins of a host. @module */

export { type ContractOptions, type ContractTool, checkContract } from "./check-contract.ts";
export { contract, type EnforceContractOptions } from "./contract.ts";
export type { ContractFinding, ContractRule } from "./contract-finding.ts";
export {
  fingerprintTools,
  type PinnedField,
  pins,
  type ToolFingerprint,
  type ToolPins,
} from "./pins.ts";
