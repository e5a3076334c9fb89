import type { TestTool } from "../../../packages/core/test/servers.ts";

/** Answers with its arguments, as `structuredContent` and as text. */
export const echo: TestTool = {
  answer: ({ arguments: args }) => ({
    content: [{ type: "text", text: JSON.stringify(args) }],
    structuredContent: args,
  }),
};

/** Answers with an error that has that text. */
export function failing(text: string): TestTool {
  return { answer: () => ({ content: [{ type: "text", text }], isError: true }) };
}

/** A step that echoes a value; without one, its own id. */
export function say(id: string, v: unknown = id) {
  return { id, tool: "echo", args: { v } };
}

export function group(id: string, ...parallel: object[]) {
  return { id, parallel };
}

export function nested(id: string, pipe: object) {
  return { id, pipe };
}
