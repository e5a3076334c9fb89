import type * as ai7 from "ai";
import type { Major } from "./majors.ts";

type Settings = Parameters<typeof ai7.generateText>[0];

/** One way to run a model with tools; all give the same summary. */
export interface Run {
  readonly name: string;
  run(major: Major, settings: Settings): Promise<RunResult>;
}

export interface RunResult {
  readonly text: string;
  readonly steps: readonly ai7.StepResult<ai7.ToolSet>[];
  readonly finishReason: string;
  readonly totalTokens: number | undefined;
  /** All messages that the run added, in order. */
  readonly messages: ai7.ModelMessage[];
}

/** The plainest way, for what does not depend on the way. */
export const generate: Run["run"] = async ({ sdk }, settings) =>
  summarise(await sdk.generateText(settings));

/** `generateText`, `streamText` and both ways of the agent class. */
export const runs: readonly Run[] = [
  { name: "generateText", run: generate },
  {
    name: "streamText",
    run: async ({ sdk }, settings) => {
      const result = sdk.streamText({ ...settings, onError: () => {} } as never);
      await result.consumeStream();
      return summarise(result);
    },
  },
  {
    name: "ToolLoopAgent.generate",
    async run({ sdk }, settings) {
      const { prompt, messages, abortSignal, ...agent } = settings;
      const input = { prompt, messages, abortSignal } as never;
      return summarise(await new sdk.ToolLoopAgent(agent as never).generate(input));
    },
  },
  {
    name: "ToolLoopAgent.stream",
    async run({ sdk }, settings) {
      const { prompt, messages, abortSignal, ...agent } = settings;
      const input = { prompt, messages, abortSignal } as never;
      const result = await new sdk.ToolLoopAgent(agent as never).stream(input);
      await result.consumeStream({ onError: () => {} });
      return summarise(result);
    },
  },
];

async function summarise(result: unknown): Promise<RunResult> {
  const found = result as {
    text: string;
    steps: RunResult["steps"];
    finishReason: string;
    totalUsage: { totalTokens?: number };
    responseMessages?: ai7.ModelMessage[];
    response: { messages: ai7.ModelMessage[] };
  };
  const messages = (await found.responseMessages) ?? (await found.response).messages;
  const [text, steps, finishReason, usage] = await Promise.all([
    found.text,
    found.steps,
    found.finishReason,
    found.totalUsage,
  ]);
  return { text, steps, finishReason, totalTokens: usage.totalTokens, messages };
}
