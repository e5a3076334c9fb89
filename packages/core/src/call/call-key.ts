import { sha256 } from "../hash.ts";
import { canonicalJson } from "../json.ts";
import type { ToolCall } from "./tool-call.ts";

/** In the `_meta` of a call that has a place: a server that has seen the key need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** The same for this call in every worker, and for no other call. */
export function toCallKey(
  place: string | undefined,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): Promise<string> | undefined {
  return place === undefined ? undefined : sha256(canonicalJson([place, tool.id, args]));
}
