import type { Host } from "@toolrail/core";
import * as ai7 from "ai";
import * as ai6 from "ai6";
import { expectTypeOf, it } from "vitest";
import { withSingleStep } from "../src/guard/index.ts";

declare const host: Host;
declare const model7: ai7.LanguageModel;
declare const model6: ai6.LanguageModel;

it("Guarded settings fit both majors and keep the caller's.", () => {
  const singleStep = { allow: ["desk.read"] };
  const guarded7 = withSingleStep(host, { model: model7, temperature: 0, singleStep });
  const guarded6 = withSingleStep(host, { model: model6, temperature: 0, singleStep });
  expectTypeOf(guarded7.temperature).toEqualTypeOf<number>();
  expectTypeOf(guarded7).not.toHaveProperty("singleStep");
  void (() => [
    ai7.generateText({ ...guarded7, prompt: "x" }),
    ai7.streamText({ ...guarded7, prompt: "x" }),
    new ai7.ToolLoopAgent(guarded7),
    ai6.generateText({ ...guarded6, prompt: "x" }),
    ai6.streamText({ ...guarded6, prompt: "x" }),
    new ai6.ToolLoopAgent(guarded6),
  ]);
});

it("The caller's own prepareStep and stop conditions of both majors are taken.", () => {
  void (() => [
    withSingleStep(host, {
      model: model7,
      prepareStep: ({ stepNumber }: { stepNumber: number }) => ({ activeTools: [`${stepNumber}`] }),
      stopWhen: [ai7.isStepCount(3)],
    }),
    withSingleStep(host, { model: model6, stopWhen: ai6.stepCountIs(3) }),
  ]);
});
