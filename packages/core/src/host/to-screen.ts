import type { DoorParts } from "../call/door-parts.ts";
import type { HostTool } from "../call/tool.ts";
import type { ScreenContext, ScreenVerdict } from "../call/tool-screen.ts";
import type { HostOptions } from "./host-options.ts";

/** All screens of a host as one, which screens a tool again only if it has changed. */
export function toScreen(
  { screen: screens = [] }: Pick<HostOptions, "screen">,
  { validator, parsers }: Pick<ScreenContext, "validator"> & Pick<DoorParts, "parsers">,
): ((tool: HostTool) => Promise<ScreenVerdict[]>) | undefined {
  if (screens.length === 0) return undefined;
  const verdicts = new WeakMap<HostTool, Promise<ScreenVerdict[]>>();
  return (tool) => {
    const context = { validator, hasParser: parsers.has(tool.id) };
    const asked = verdicts.get(tool) ?? Promise.all(screens.map((screen) => screen(tool, context)));
    verdicts.set(tool, asked);
    return asked;
  };
}
