import { type ToolFilter, toToolTest } from "../call/tool-patterns.ts";
import type { HostTool } from "../types/tool.ts";
import type { Host } from "./host.ts";
import { engineOf } from "./host-engine.ts";

/** The tools that a model may be offered now: never app-only ones. Throws `invalid-options` for an invalid filter. */
export function offeredTools(host: Host, filter?: ToolFilter): readonly HostTool[] {
  const { watchNames } = engineOf(host);
  const test = filter === undefined ? () => true : toToolTest(filter, "tools");
  if (Array.isArray(filter)) void watchNames("tools", filter);
  return host.tools.filter((tool) => tool.forModel && test(tool));
}
