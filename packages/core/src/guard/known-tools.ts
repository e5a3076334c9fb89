import { definitionHash } from "../call/definition.ts";
import type { HostTool } from "../call/tool.ts";
import type { ToolHashes } from "./query-phase.ts";

export type KnownTools = ReturnType<typeof rememberTools>;

/** The tools that a query begins with: as they are now, or by the hashes that were kept of an earlier part of it. */
export function rememberTools(tools: readonly HostTool[], kept: ToolHashes | undefined) {
  const hashes = async (): Promise<ToolHashes> => {
    const entries = tools.map(async (tool) => [tool.id, await definitionHash(tool)] as const);
    return kept ?? Object.fromEntries(await Promise.all(entries));
  };
  return {
    hashes,
    /** True where the tool was there and has the same definition now. */
    async isUnchanged(tool: HostTool): Promise<boolean> {
      if (!kept && tools.includes(tool)) return true;
      const before = await hashes();
      return Object.hasOwn(before, tool.id) && before[tool.id] === (await definitionHash(tool));
    },
  };
}
