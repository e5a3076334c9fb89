import type { ToolrailErrorCode } from "../errors.ts";
import type { ChainEnd } from "./chain-result.ts";

/** Why a chain ends when its next call ends in an error of that code. */
export function chainEndOf(code: ToolrailErrorCode): ChainEnd {
  switch (code) {
    case "unknown-tool":
    case "ambiguous-tool":
      return "unknown-tool";
    case "invalid-arguments":
      return "invalid-arguments";
    case "denied":
    case "not-allowed":
    case "quarantined-tool":
    case "invalid-schema":
    case "unknown-hop":
      return "denied";
    case "needs-approval":
      return "needs-approval";
    case "aborted":
      return "aborted";
    default:
      return "failed";
  }
}
