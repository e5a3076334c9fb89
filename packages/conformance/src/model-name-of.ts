import type { Host } from "@toolrail/core";

/** Returns the name by which a model calls `server.tool`. If the model cannot see the tool, it is the bare name. */
export function modelNameOf(host: Host, tool: string): string {
  try {
    return host.find(tool).modelName;
  } catch {
    return tool.slice(tool.indexOf(".") + 1);
  }
}
