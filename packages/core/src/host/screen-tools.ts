import type { HostParts } from "../call/host-parts.ts";
import { parserOf } from "../call/value-checks.ts";
import type { ServerTools } from "../servers/tool-list.ts";
import type { Plugin } from "../types/plugin.ts";
import type { ScreenContext, ScreenVerdict, Tool } from "../types/tool.ts";

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
