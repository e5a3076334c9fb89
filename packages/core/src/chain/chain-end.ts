import { ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import type { ChainEnd } from "../result/chain-result.ts";

const ENDS: { readonly [Code in ToolrailErrorCode]?: ChainEnd } = {
  "unknown-tool": "unknown-tool",
  "ambiguous-tool": "unknown-tool",
  "invalid-arguments": "invalid-arguments",
  "reference-lost": "invalid-arguments",
  denied: "denied",
  "not-allowed": "denied",
  "quarantined-tool": "denied",
  "invalid-schema": "denied",
  "unknown-hop": "denied",
  "tool-changed": "denied",
  "needs-approval": "needs-approval",
  "needs-input": "needs-input",
  "unknown-question": "denied",
  aborted: "aborted",
};

/** True for a chain that waits for a person: see `host.resume`. */
export function isWaiting({ ended }: { readonly ended?: ChainEnd }): boolean {
  return ended === "needs-approval" || ended === "needs-input";
}

/** Why a chain ends when its next call ends in this error. One that an approval would repeat waits for it. */
export function chainEndOf(error: ToolrailError): ChainEnd {
  if (ToolrailError.isInstance(error, "outcome-unknown") && error.data) return "needs-approval";
  return ENDS[error.code] ?? "failed";
}
