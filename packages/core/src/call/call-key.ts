import { canonicalJson, sha256 } from "@toolrail/json";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { FOLLOWS } from "./approval.ts";
import type { HostParts } from "./passage.ts";

/** The key in the `_meta` of a call that is made once. A server that has seen it need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** Hashes a key with the call's tool and arguments: the same in every worker, and different for other calls. */
export function toCallKey(
  key: string | undefined,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): Promise<string> | undefined {
  return key === undefined ? undefined : sha256(canonicalJson([key, tool.id, args]));
}

/** True if a call of this tool is made only once for its key. */
export function isOnce(
  { once }: Pick<HostParts, "once">,
  { annotations }: Tool,
  key?: string,
): boolean {
  const isKept = once !== undefined || key?.startsWith(FOLLOWS) === true;
  return isKept && annotations?.readOnlyHint !== true;
}

/** Names the call that is made for a key. Without a key, it names this call alone. */
export async function toSlot(key: string | undefined, call: ToolCall): Promise<string> {
  const { tool, callId } = call;
  // A step of a pipe is one call, even if its arguments follow from a new answer of a read-only tool.
  if (key && call.origin.by === "pipe") return sha256(canonicalJson([key, tool.id]));
  return toCallKey(key, call) ?? callId;
}
