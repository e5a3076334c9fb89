import type { ToolrailErrorCode } from "../errors.ts";
import type { ChainEnd } from "../result/chain-result.ts";

const ENDS: { readonly [Code in ToolrailErrorCode]?: ChainEnd } = {
  "unknown-tool": "unknown-tool",
  "ambiguous-tool": "unknown-tool",
  "invalid-arguments": "invalid-arguments",
  denied: "denied",
  "not-allowed": "denied",
  "quarantined-tool": "denied",
  "invalid-schema": "denied",
  "unknown-hop": "denied",
  "needs-approval": "needs-approval",
  "outcome-unknown": "needs-approval",
  aborted: "aborted",
};

/** Why a chain ends when its next call ends in an error of that code. */
export function chainEndOf(code: ToolrailErrorCode): ChainEnd {
  return ENDS[code] ?? "failed";
}
