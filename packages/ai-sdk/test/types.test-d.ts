import type { Host } from "@toolrail/core";
import * as ai7 from "ai";
import * as ai6 from "ai6";
import { expectTypeOf, it } from "vitest";
import * as z from "zod";
import {
  createTools,
  llmSteps,
  shownToUser,
  type UserContent,
  type UserContentParts,
  withChaining,
  writeUserContent,
} from "../src/index.ts";

declare const host: Host;
declare const model7: ai7.LanguageModel;
declare const model6: ai6.LanguageModel;

it("Tools fit both majors, alone and beside the application's own.", () => {
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

it("Settings fit both majors and keep the caller's own types.", () => {
  const add7 = ai7.tool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => a });
  const add6 = ai6.tool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => a });
  const seven = withChaining(host, {
    model: model7,
    prompt: "x",
    tools: { add7 },
    activeTools: ["add7"],
    toolChoice: "auto",
    temperature: 0,
    stopWhen: [ai7.isStepCount(5), llmSteps(3), ({ steps }) => steps.length > 3],
    prepareStep: ({ stepNumber, messages }) => ({
      activeTools: [],
      n: stepNumber + messages.length,
    }),
    toolApproval: { add7: "user-approval" },
    onStepEnd: () => {},
    chaining: { fold: false, onHop: ({ hop }) => void hop.result },
  });
  const six = withChaining(host, {
    model: model6,
    prompt: "x",
    tools: { add6 },
    stopWhen: ai6.stepCountIs(5),
    onStepFinish: () => {},
  });
  withChaining(host, {
    model: model7,
    toolApproval: ({ toolCall }) => (toolCall.toolName === "b" ? "user-approval" : undefined),
  });
  expectTypeOf(seven.tools).toEqualTypeOf<{ add7: typeof add7 }>();
  const run = async () => {
    const result = await ai7.generateText(seven);
    for (const call of result.toolCalls) {
      if (!call.dynamic) expectTypeOf(call.input.a).toEqualTypeOf<number>();
    }
    return [
      result,
      ai7.streamText(seven),
      ai6.generateText(six),
      ai6.streamText(six),
      new ai7.ToolLoopAgent(withChaining(host, { model: model7, instructions: "be brief" })),
      new ai6.ToolLoopAgent(withChaining(host, { model: model6, tools: { add6 } })),
    ];
  };
  void run;
});

it("Hooks that were written with the types of a major are taken.", () => {
  const tools7 = {} satisfies ai7.ToolSet;
  const prepare7: ai7.PrepareStepFunction<typeof tools7> = ({ instructions }) =>
    instructions === undefined ? {} : { instructions };
  const prepare6: ai6.PrepareStepFunction = ({ experimental_context }) => ({
    experimental_context,
  });
  withChaining(host, { model: model7, tools: tools7, prepareStep: prepare7 });
  withChaining(host, { model: model6, prepareStep: prepare6 });
});

it("The parts that a browser is sent are typed.", () => {
  type Message7 = ai7.UIMessage<unknown, UserContentParts>;
  type Message6 = ai6.UIMessage<unknown, UserContentParts>;
  void (() => [
    ai7.createUIMessageStream<Message7>({
      execute: ({ writer }) => void writeUserContent(writer),
    }),
    ai6.createUIMessageStream<Message6>({
      execute: ({ writer }) => void writeUserContent(writer),
    }),
    ai7.createUIMessageStream({ execute: ({ writer }) => void writeUserContent(writer) }),
  ]);
  type Part = Extract<Message7["parts"][number], { type: "data-user-content" }>;
  expectTypeOf<Part["data"]>().toEqualTypeOf<UserContent>();
});

it("Callbacks keep their types in the call of the SDK, around what withChaining composes.", () => {
  void (() => {
    const settings = withChaining(host, { model: model7, prompt: "x", stopWhen: llmSteps(5) });
    ai7.streamText({
      ...settings,
      onFinish: ({ text, steps }) => {
        expectTypeOf(text).toEqualTypeOf<string>();
        expectTypeOf(steps[0]?.toolCalls.length).toEqualTypeOf<number | undefined>();
      },
      onStepEnd: ({ usage }) => void expectTypeOf(usage).not.toBeAny(),
    });
    ai6.streamText({
      ...withChaining(host, { model: model6, prompt: "x" }),
      onFinish: ({ text }) => void expectTypeOf(text).toEqualTypeOf<string>(),
    });
    // @ts-expect-error A misspelt setting.
    ai7.streamText({ ...settings, sytem: "be brief" });
    // @ts-expect-error The listener belongs under `chaining`.
    withChaining(host, { model: model7, onHop: () => {} });
  });
});
