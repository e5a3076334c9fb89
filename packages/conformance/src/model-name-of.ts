import type { Host } from "@toolrail/core";

/** The name by which a model calls `server.tool`: of a tool that it cannot see, the bare one. */
export function modelNameOf(host: Host, tool: string): string {
  try {
    return host.find(tool).modelName;
  } catch {
    return tool.slice(tool.indexOf(".") + 1);
  }
}
