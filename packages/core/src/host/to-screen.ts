import type { DoorParts } from "../call/door-parts.ts";
import { RESOURCES } from "../call/offered-links.ts";
import type { HostTool } from "../call/tool.ts";
import type { ScreenContext, ScreenVerdict } from "../call/tool-screen.ts";
import type { ServerTools } from "../servers/tool-list.ts";
import type { HostOptions } from "./host-options.ts";

/** All screens of a host as one: a list without what they refuse. A tool is screened again only if it has changed. */
export function toScreen(
  { screen: screens = [] }: Pick<HostOptions, "screen">,
  { validator, parsers }: Pick<ScreenContext, "validator"> & Pick<DoorParts, "parsers">,
): (list: ServerTools) => Promise<ServerTools> {
  const known = new WeakMap<HostTool, Promise<ScreenVerdict[]>>();
  const ask = (tool: HostTool) => {
    const context = { validator, hasParser: parsers.has(tool.id) };
    const own = tool.name === RESOURCES ? [] : screens;
    const verdicts = known.get(tool) ?? Promise.all(own.map((screen) => screen(tool, context)));
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
