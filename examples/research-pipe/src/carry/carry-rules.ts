import type { Rule } from "@toolrail/example-offline-model";

const ORDER = ["fetch_page", "clean_text", "save_text"];

/** The whole way as one pipe. */
const SPEC = {
  steps: [
    { id: "page", tool: "fetch_page" },
    { id: "clean", tool: "clean_text", args: { text: "${steps.page.text}" } },
    { id: "save", tool: "save_text", args: { text: "${steps.clean.text}" } },
  ],
  return: { $ref: "steps.save.text" },
};

/**
 * The rules of a model that carries a page through three tools: by a pipe if it has `mcp_pipe`, by the address if a result
 * names one, and else by writing the text out again.
 */
export const carryRules: readonly Rule[] = [
  ({ tools, toolResultsSinceUser: results }) => {
    const last = results.at(-1);
    if (!last && tools.some(({ name }) => name === "mcp_pipe")) {
      return { toolCalls: [{ name: "mcp_pipe", arguments: SPEC }] };
    }
    const name = last?.name === "mcp_pipe" ? undefined : ORDER[results.length];
    if (name === undefined) return { text: "It is saved." };
    const text = last && (/\$\{k\w{5}\.text\}/.exec(last.text)?.[0] ?? last.text);
    return { toolCalls: [{ name, arguments: last ? { text } : {} }] };
  },
];
