import { type ToolFilter, toToolTest } from "../call/tool-patterns.ts";
import { createOptionCheck } from "../check-options.ts";
import type { ReadTool } from "../types/services.ts";
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

/** Returns the tool `read_result`, or `undefined` if the host keeps no results. */
export function defineReadTool(host: Host): ReadTool | undefined {
  return engineOf(host).services.readTool;
}

/** True if a call of this tool may have to wait for a person's approval. Without `tool`: of any tool. */
export function mayAsk(host: Host, tool?: Tool): boolean {
  return engineOf(host).mayAsk(tool);
}

/** The tools that a model finds by the search of the framework or provider, instead of reading their definitions in every turn. */
export interface Deferral {
  /** The tools to defer. Default: all tools that are offered. */
  readonly tools?: ToolFilter;
  /** The number of offered tools up to which none is deferred. Default: 0. */
  readonly above?: number;
}

const checkDeferral = /* @__PURE__ */ createOptionCheck<Deferral>("`defer`", {
  tools: ["texts", "function"],
  above: "number",
});

/**
 * Returns the ids of the offered tools that are deferred. Calls that no model decides, such as hops and steps of pipes, still reach
 * them. Throws `invalid-options`. A name that no server lists is reported.
 */
export function deferredTools(
  host: Host,
  { offered, defer }: { offered: readonly Tool[]; defer: ToolFilter | Deferral | undefined },
): ReadonlySet<string> {
  if (defer === undefined) return new Set();
  const deferral = Array.isArray(defer) || typeof defer === "function" ? { tools: defer } : defer;
  checkDeferral(deferral);
  const { tools = () => true, above = 0 } = deferral as Deferral;
  const test = toToolTest(tools, "defer");
  if (Array.isArray(tools)) void engineOf(host).watchNames("defer", tools);
  if (offered.length <= above) return new Set();
  return new Set(offered.filter(test).map(({ id }) => id));
}
