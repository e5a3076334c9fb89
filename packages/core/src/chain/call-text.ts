import { canonicalJson } from "../json/json.ts";
import type { PendingCall } from "../result/chain-result.ts";
import { toRef } from "../result/hop.ts";
import type { CallRequest } from "../types/call-options.ts";

/** Builds a text that is equal for calls of the same tool with the same arguments, in any order of keys. */
export function callText(call: Pick<PendingCall, "server" | "tool" | "arguments">): string {
  return canonicalJson([call.server, call.tool, call.arguments]);
}

export function toRequest(call: PendingCall): CallRequest {
  return { tool: toRef(call), arguments: call.arguments };
}

/** The part that the key of a hop adds to the key of the call before it. */
export const HOP_KEY = "#";
