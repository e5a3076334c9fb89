// Tool contracts and pins. Everything exported here is public API.

export { type ContractOptions, type ContractTool, checkContract } from "./check-contract.ts";
export type { ContractFinding, ContractRule } from "./contract-finding.ts";
export { type EnforceContractOptions, enforceContract } from "./enforce-contract.ts";
export {
  fingerprintTools,
  type PinnedField,
  pinTools,
  type ToolFingerprint,
  type ToolPins,
} from "./pin-tools.ts";
