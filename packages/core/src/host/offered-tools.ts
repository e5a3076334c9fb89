import { type ToolFilter, toToolTest } from "../call/tool-patterns.ts";
import type { Tool } from "../types/tool.ts";
import type { Host } from "./host.ts";
import { engineOf } from "./host-engine.ts";

/** Returns the tools that a model may be offered now, never those for apps alone. Throws `invalid-options` for an invalid filter. */
export function offeredTools(host: Host, filter?: ToolFilter): readonly Tool[] {
  const { watchNames } = engineOf(host);
  const test = filter === undefined ? () => true : toToolTest(filter, "tools");
  if (Array.isArray(filter)) void watchNames("tools", filter);
  return host.tools.filter((tool) => tool.forModel && test(tool));
}

/** True if a call of this tool may have to wait for a person's approval. Without `tool`: of any tool. */
export function mayAsk(host: Host, tool?: Tool): boolean {
  return engineOf(host).mayAsk(tool);
}
