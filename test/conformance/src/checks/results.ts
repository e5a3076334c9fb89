import type { JsonObject } from "@toolrail/core/json";
import type { ChainOutcome } from "../harness.ts";
import type { MemoryTool } from "../memory-server.ts";

/** Creates a result that asks for the next call. */
export function asking(tool: string, args?: JsonObject) {
  const nextTool = args ? { tool, arguments: args } : { tool };
  return { content: [{ type: "text", text: "more to come" }], _meta: { nextTool } };
}

/** Answers with its arguments, as `structuredContent` and as text. */
export const echo: MemoryTool = {
  answer: ({ arguments: args }) => ({
    content: [{ type: "text", text: JSON.stringify(args) }],
    structuredContent: args,
  }),
};

export function failing(text: string): MemoryTool {
  return { answer: () => ({ content: [{ type: "text", text }], isError: true }) };
}

/** Creates a step that echoes a value, by default its id. */
export function step(id: string, v: unknown = id) {
  return { id, tool: "echo", args: { v } };
}

export function group(id: string, ...parallel: object[]) {
  return { id, parallel };
}

export function nested(id: string, pipe: object) {
  return { id, pipe };
}

/** Lists the called tools in order, as the application receives them. */
export function hopNames(outcome: ChainOutcome): string[] {
  return outcome.hops.map(({ server, tool }) => `${server}.${tool}`);
}

/** Joins all text that the model read, one block per line. */
export function readText(outcome: ChainOutcome): string {
  return outcome.modelRead.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
