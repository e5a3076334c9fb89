import { canonicalJson, sha256 } from "@toolrail/json";
import type { HostTool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { FOLLOWS } from "./approval.ts";
import type { HostParts } from "./passage.ts";

/** In the `_meta` of a call that has a place: a server that has seen the key need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** The same for this call in every worker, and for no other call. */
export function toCallKey(
  place: string | undefined,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): Promise<string> | undefined {
  return place === undefined ? undefined : sha256(canonicalJson([place, tool.id, args]));
}

/** True where the door makes a call of this tool once in its place. */
export function isOnce(
  { once }: Pick<HostParts, "once">,
  { annotations }: HostTool,
  place?: string,
): boolean {
  const isKept = once !== undefined || place?.startsWith(FOLLOWS) === true;
  return isKept && annotations?.readOnlyHint !== true;
}

/** Names the call that is made in a place, or without one this call alone. */
export async function slotAt(place: string | undefined, call: ToolCall): Promise<string> {
  const { tool, callId } = call;
  // A step of a pipe is one call, also where its arguments follow from what a read-only tool has answered anew.
  if (place && call.origin.by === "pipe") return sha256(canonicalJson([place, tool.id]));
  return toCallKey(place || undefined, call) ?? callId;
}
