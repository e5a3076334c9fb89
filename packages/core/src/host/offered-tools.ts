import type { HostTool } from "../call/tool.ts";
import { type ToolFilter, toToolTest } from "../call/tool-patterns.ts";

/** The tools that a model may be offered now: never app-only ones. Throws `invalid-options` for an invalid filter. */
export function offeredTools(
  host: { readonly tools: readonly HostTool[] },
  filter?: ToolFilter,
): readonly HostTool[] {
  const test = filter === undefined ? () => true : toToolTest(filter, "tools");
  return host.tools.filter((tool) => tool.forModel && test(tool));
}
