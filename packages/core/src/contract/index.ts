/** The tool contract, and pins that hold servers to the tools that were approved. Both are plugins of a host. @module */

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
