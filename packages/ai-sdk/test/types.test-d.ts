import type { Host } from "@toolrail/core";
import * as ai7 from "ai";
import * as ai6 from "ai6";
import { expectTypeOf, it } from "vitest";
import * as z from "zod";
import { createTools, shownToUser } from "../src/index.ts";

declare const host: Host;
declare const model7: ai7.LanguageModel;
declare const model6: ai6.LanguageModel;

it("gives tools that both majors take, alone and beside the application's own", () => {
  const tools = createTools(host);
  expectTypeOf(tools).toExtend<ai7.ToolSet>();
  expectTypeOf(tools).toExtend<ai6.ToolSet>();
  const local7 = ai7.tool({
    inputSchema: z.object({ a: z.string() }),
    execute: async ({ a }) => a,
  });
  const local6 = ai6.tool({
    inputSchema: z.object({ a: z.string() }),
    execute: async ({ a }) => a,
  });
  const settings7 = { model: model7, tools: { ...tools, local7 }, prompt: "x" };
  const settings6 = { model: model6, tools: { ...tools, local6 }, prompt: "x" };
  const stop7 = [ai7.isStepCount(5), shownToUser()];
  const stop6 = [ai6.stepCountIs(5), shownToUser()];
  void (() => [
    ai7.generateText({ ...settings7, stopWhen: stop7 }),
    ai7.streamText({ ...settings7, stopWhen: stop7 }),
    new ai7.ToolLoopAgent({ model: model7, tools, stopWhen: stop7 }),
    ai6.generateText({ ...settings6, stopWhen: stop6 }),
    ai6.streamText({ ...settings6, stopWhen: stop6 }),
    new ai6.ToolLoopAgent({ model: model6, tools, stopWhen: stop6 }),
  ]);
});
