import { createHost } from "@toolrail/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createTestServer, type TestTool } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { builds } from "./builds.ts";
import { QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

/** What a tool answers: for whom, whether well, and which tool is to be next. */
const answers = fc.record({
  next: fc.option(fc.integer({ min: 0, max: 7 }), { nil: undefined }),
  isError: fc.boolean(),
  audience: fc.constantFrom(undefined, ["user"], ["assistant"]),
});

type Answer = typeof answers extends fc.Arbitrary<infer Value> ? Value : never;

function toTool({ next, isError, audience }: Answer, at: number): TestTool {
  const text = { type: "text", text: `t${at}`, ...(audience && { annotations: { audience } }) };
  const meta = next === undefined ? {} : { _meta: { nextTool: { tool: `t${next}` } } };
  return { answer: () => ({ content: [text], isError, ...meta }) };
}

async function play(build: (typeof builds)[keyof typeof builds], tools: Answer[], first: number[]) {
  const server = await createTestServer(
    Object.fromEntries(tools.map((answer, at) => [`t${at}`, toTool(answer, at)])),
  );
  const host = await createHost({ servers: { bank: server.client } });
  const turn = first.map((at, index) => calling(`t${at}`, {}, `c${index}`));
  const model = new ScriptedModel(turn, "done");
  await build({ host, model, tools: createTools(host), endWhenShown: false }).invoke(QUESTION, {
    recursionLimit: 100,
  });
  await host.close();
  return {
    calls: server.calls.toSorted(),
    modelCalls: model.read.length,
    read: toolMessages(model.read.at(-1) ?? []).map((message) => ({
      id: message.tool_call_id,
      status: message.status,
      text: message.contentBlocks.map((block) => block.text),
    })),
  };
}

it("A chain inside the call and one of turns make the same calls and read the same.", async () => {
  const chains = fc.tuple(
    fc.array(answers, { minLength: 7, maxLength: 7 }),
    fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(chains, async ([tools, first]) => {
      const inside = await play(builds.inside, tools, first);
      expect(await play(builds.middleware, tools, first)).toEqual(inside);
      expect(await play(builds.node, tools, first)).toEqual(inside);
      expect(inside.modelCalls).toBe(2);
    }),
    { numRuns: 60 },
  );
});
