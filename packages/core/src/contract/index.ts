/** The tool contract, and pins that hold servers to the tools that were approved. Both are plugins of a host. @module */

export {
  type ContractFinding,
  type ContractOptions,
  type ContractRule,
  type ContractTool,
  checkContract,
  contract,
} from "./check-contract.ts";
export {
  fingerprintTools,
  type PinnedField,
  pins,
  type ToolFingerprint,
  type ToolPins,
} from "./pins.ts";
