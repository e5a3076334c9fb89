import { definitionHash } from "../call/definition.ts";
import type { HostTool } from "../call/tool.ts";
import type { ToolHashes } from "./query-phase.ts";

/**
 * Remembers the tools that a query begins with: as they are now, or by the hashes that were kept of an earlier
 * part of it. Each tool is hashed once, when that is first asked for.
 */
export function createToolMemory() {
  const known = new WeakMap<HostTool, Promise<string>>();
  const hashOf = (tool: HostTool) => {
    const hash = known.get(tool) ?? definitionHash(tool);
    known.set(tool, hash);
    return hash;
  };
  return (tools: readonly HostTool[], kept: ToolHashes | undefined) => {
    const hashes = async (): Promise<ToolHashes> => {
      const entries = tools.map(async (tool) => [tool.id, await hashOf(tool)] as const);
      return kept ?? Object.fromEntries(await Promise.all(entries));
    };
    /** True where the tool was there and has the same definition now. */
    const isUnchanged = async (tool: HostTool): Promise<boolean> => {
      if (!kept && tools.includes(tool)) return true;
      const before = await hashes();
      return Object.hasOwn(before, tool.id) && before[tool.id] === (await hashOf(tool));
    };
    return { hashes, isUnchanged };
  };
}
