import { Agent, type Tool } from "@openai/agents";
import type { Host } from "@toolrail/core";
import { expectTypeOf, it } from "vitest";
import { createTools } from "../src/index.ts";

declare const host: Host;

it("The tools fit an agent, whatever the context of its runs.", () => {
  new Agent({ name: "clerk", tools: createTools(host) });
  new Agent<{ userId: string }>({ name: "clerk", tools: createTools(host) });
  expectTypeOf(createTools(host)).toExtend<Tool[]>();
});

it("A misspelt option is refused.", () => {
  // @ts-expect-error
  createTools(host, { onHopp: () => {} });
});
