import { sha256 } from "../hash.ts";
import { canonicalJson } from "../json.ts";
import type { ToolCall } from "./tool-call.ts";

/** In the `_meta` of a call that has a place: a server that has seen the key need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** What is the same for this call in every worker, and for no other call: a hash, which tells nothing of the place. */
export function toCallKey(
  place: string | undefined,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): Promise<string> | undefined {
  return place === undefined ? undefined : sha256(canonicalJson([place, tool.id, args]));
}

/** The place of a hop, by that of the first call of its chain and the number of calls before it. */
export function hopPlace(root: string | undefined, depth: number): string | undefined {
  return root === undefined || depth === 0 ? root : `${root}#${depth}`;
}
