/** What a tool must say of itself, and pins that hold a server to the tools it had: screens for a host. @module */

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
