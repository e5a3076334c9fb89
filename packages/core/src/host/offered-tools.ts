import type { HostTool } from "./tool.ts";
import { type ToolFilter, toToolTest } from "./tool-patterns.ts";

/**
 * The tools that a model may be offered now: never app-only ones, and of the others those that the
 * filter lets through. Throws `invalid-options` for a filter that is none.
 */
export function offeredTools(
  host: { readonly tools: readonly HostTool[] },
  filter?: ToolFilter,
): readonly HostTool[] {
  const test = filter === undefined ? () => true : toToolTest(filter, "tools");
  return host.tools.filter((tool) => tool.forModel && test(tool));
}
