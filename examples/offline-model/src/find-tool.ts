import type { ChatTool } from "./chat-request.ts";

/**
 * Finds the offered tool with this bare name: exactly so, or with a prefix (`bank_list_accounts`), or with a suffix
 * (`list_accounts_1`), in this order. Returns `undefined` if the request does not offer it.
 */
export function findTool(tools: readonly ChatTool[], bareName: string): ChatTool | undefined {
  return (
    tools.find(({ name }) => name === bareName) ??
    tools.find(({ name }) => name.endsWith(bareName) && isEdge(name.at(-bareName.length - 1))) ??
    tools.find(({ name }) => name.startsWith(bareName) && isEdge(name[bareName.length]))
  );
}

function isEdge(char: string | undefined): boolean {
  return char !== undefined && !/[a-z0-9]/i.test(char);
}
