import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from "@workflow/serde";
import { type LanguageModel, simulateReadableStream } from "ai";

type Model = Exclude<LanguageModel, string> & { readonly specificationVersion: "v4" };
type Prompt = Parameters<Model["doStream"]>[0]["prompt"];
type Streamed = Awaited<ReturnType<Model["doStream"]>>;
type Part = Streamed["stream"] extends ReadableStream<infer Each> ? Each : never;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model in place of a real one, such as "anthropic/claude-opus". It prints what it reads. */
class ScriptedModel implements Model {
  readonly specificationVersion = "v4";
  readonly provider = "example";
  readonly modelId = "scripted";
  readonly supportedUrls = {};

  constructor(readonly order: number) {}

  /** It is asked in a step, which may be in another process. */
  static [WORKFLOW_SERIALIZE]({ order }: ScriptedModel) {
    return { order };
  }

  static [WORKFLOW_DESERIALIZE]({ order }: { order: number }) {
    return new ScriptedModel(order);
  }

  async doGenerate(): Promise<never> {
    throw new Error("The agent streams.");
  }

  async doStream({ prompt }: { readonly prompt: Prompt }): Promise<Streamed> {
    const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
    console.log(`the model reads: ${JSON.stringify(results.at(-1) ?? "the user's words")}`);
    const toolName = ["return_order", "refund"][results.length];
    const input = JSON.stringify({ order: this.order });
    const said: Part[] = toolName
      ? [{ type: "tool-call", toolCallId: `call-${results.length + 1}`, toolName, input }]
      : [
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "Your money is on its way." },
          { type: "text-end", id: "1" },
        ];
    const finishReason = { unified: toolName ? "tool-calls" : "stop", raw: undefined } as const;
    const end: Part = { type: "finish", finishReason, usage: USAGE };
    const chunks: Part[] = [{ type: "stream-start", warnings: [] }, ...said, end];
    return { stream: simulateReadableStream({ chunks }) };
  }
}

/** A function around the class: that is how the compiler of workflows finds it. */
export const scriptedModel = (order: number): Model => new ScriptedModel(order);
