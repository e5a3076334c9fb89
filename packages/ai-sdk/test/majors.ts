import * as ai7 from "ai";
import { MockLanguageModelV4, simulateReadableStream } from "ai/test";
import * as ai6 from "ai6";
import { MockLanguageModelV3 } from "ai6/test";

/** A major of the SDK under the face of `ai` 7; that the types of both fit is tested by types. */
export interface Major {
  readonly name: string;
  readonly sdk: typeof ai7;
  readonly Model: typeof MockLanguageModelV4;
}

export const majors: readonly Major[] = [
  { name: "ai 7", sdk: ai7, Model: MockLanguageModelV4 },
  {
    name: "ai 6",
    sdk: ai6 as unknown as typeof ai7,
    Model: MockLanguageModelV3 as unknown as typeof MockLanguageModelV4,
  },
];

export function majorNamed(name: "ai 6" | "ai 7"): Major {
  const major = majors.find((candidate) => candidate.name === name);
  if (!major) throw new Error(`There is no ${name}.`);
  return major;
}

type StreamPart =
  Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part>
    ? Part
    : never;

export type Prompt = MockLanguageModelV4["doGenerateCalls"][number]["prompt"];

type Turn = readonly TurnPart[];
type TurnPart = string | { readonly tool: string; readonly input?: unknown; readonly id?: string };

export type ScriptedModel = ReturnType<typeof scriptModel>;

/** A mock model that says its turns in order, and repeats the last; each call of a tool gets the id `call-N`. */
export function scriptModel({ Model }: Major, ...turns: readonly Turn[]) {
  let said = 0;
  let called = 0;
  const next = () => {
    const turn = turns[Math.min(said++, turns.length - 1)] ?? ["done"];
    const content = turn.map((part) =>
      typeof part === "string"
        ? ({ type: "text", text: part } as const)
        : ({
            type: "tool-call",
            toolCallId: part.id ?? `call-${++called}`,
            toolName: part.tool,
            input: JSON.stringify(part.input ?? {}),
          } as const),
    );
    const unified = turn.some((part) => typeof part !== "string") ? "tool-calls" : "stop";
    return { content, finishReason: { unified, raw: undefined } as const, usage: USAGE };
  };
  const model = new Model({
    doGenerate: async () => ({ ...next(), warnings: [] }),
    doStream: async () => {
      const { content, ...finish } = next();
      const chunks = content.flatMap((part, at): StreamPart[] =>
        part.type === "tool-call"
          ? [part]
          : [
              { type: "text-start", id: `t${at}` },
              { type: "text-delta", id: `t${at}`, delta: part.text },
              { type: "text-end", id: `t${at}` },
            ],
      );
      return {
        stream: simulateReadableStream<StreamPart>({
          chunks: [
            { type: "stream-start", warnings: [] },
            ...chunks,
            { type: "finish", ...finish },
          ],
          initialDelayInMs: null,
          chunkDelayInMs: null,
        }),
      };
    },
  });
  return {
    model,
    /** How often the model was asked. */
    get calls() {
      return model.doGenerateCalls.length + model.doStreamCalls.length;
    },
    /** What the model was asked, as the provider gets it. */
    get prompts(): Prompt[] {
      return [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt);
    },
    /** The tools that the model was offered, call by call. */
    get offered() {
      return [...model.doGenerateCalls, ...model.doStreamCalls].map(({ tools = [] }) =>
        tools.map(({ name }) => name),
      );
    },
  };
}

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
