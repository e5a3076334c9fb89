import type { HostParts } from "../call/host-parts.ts";
import type { Plugin } from "../call/plugin.ts";
import {
  type ScreenContext,
  type ScreenVerdict,
  type Tool,
  type ToolFilter,
  toToolTest,
} from "../call/tool.ts";
import { parserOf } from "../call/value-checks.ts";
import type { ServerTools } from "../servers/tool-list.ts";
import { engineOf } from "./engine.ts";
import type { Host } from "./host.ts";

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

/** Combines the tool checks of plugins into one function, which leaves out what they refuse. Only changed tools are checked again. */
export function screenTools(
  plugins: readonly Plugin[],
  { validator, parsers }: Pick<ScreenContext, "validator"> & Pick<HostParts, "parsers">,
): (list: ServerTools) => Promise<ServerTools> {
  const checking = plugins.filter(({ checkTool }) => checkTool !== undefined);
  const known = new WeakMap<Tool, Promise<ScreenVerdict[]>>();
  const ask = (tool: Tool) => {
    const context = { validator, hasParser: parserOf(parsers, tool) !== undefined };
    const verdicts =
      known.get(tool) ??
      Promise.all(checking.map((plugin) => checkByPlugin(plugin, { tool, context })));
    known.set(tool, verdicts);
    return verdicts;
  };
  return async (list) => {
    const verdicts = await Promise.all(list.tools.map(ask));
    const tools = list.tools.filter((_, at) => !verdicts[at]?.some(({ isRefused }) => isRefused));
    const problems = verdicts.flat().flatMap(({ problem }) => problem ?? []);
    return { ...list, tools, problems: [...list.problems, ...problems] };
  };
}

/** Checks a tool with a plugin. If the check throws, the tool is not offered. */
async function checkByPlugin(
  plugin: Plugin,
  { tool, context }: { readonly tool: Tool; readonly context: ScreenContext },
): Promise<ScreenVerdict> {
  try {
    return (await plugin.checkTool?.(tool, context)) ?? {};
  } catch {
    const { server, name, id } = tool;
    const message = `Tool ${id} is not offered: \`checkTool\` of the plugin "${plugin.name}" threw an error.`;
    return { problem: { server, tool: name, code: "plugin-failed", message }, isRefused: true };
  }
}
