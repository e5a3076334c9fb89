import { AIMessage } from "@langchain/core/messages";
import type { LanguageModel } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { fakeModel } from "langchain";

/** What a model does that makes no mistake: the call that the last result asks for, until all is done. */
function nextCall(read: string, first: object): object | undefined {
  if (read.includes("All is done") || read.includes("shown to the user")) return undefined;
  const left = [...read.matchAll(/left = (\d+)/g)].at(-1)?.[1];
  return left === undefined ? first : { left: Number(left) };
}

interface Script {
  /** The tool that the model calls, by the name that it is offered under. */
  readonly tool: string;
  readonly first: object;
}

interface Scripted<Model> {
  readonly model: Model;
  /** How often the model was asked. */
  count(): number;
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

export function aiSdkModel({ tool, first }: Script): Scripted<LanguageModel> {
  const model = new MockLanguageModelV4({
    async doGenerate({ prompt }) {
      const toolCallId = `call-${prompt.length}`;
      const args = nextCall(JSON.stringify(prompt), first);
      const call = { type: "tool-call", toolCallId, toolName: tool, input: JSON.stringify(args) };
      return {
        content: [args ? call : { type: "text", text: "It is done." }],
        finishReason: { unified: args ? "tool-calls" : "stop", raw: undefined },
        usage,
        warnings: [],
      } as never;
    },
  });
  return { model, count: () => model.doGenerateCalls.length };
}

const MOST_TURNS = 10;

export function langChainModel({ tool, first }: Script) {
  const model = fakeModel();
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    model.respond((messages) => {
      const read = messages.map(({ content }) => JSON.stringify(content)).join("\n");
      const args = nextCall(read, first);
      if (!args) return new AIMessage("It is done.");
      return new AIMessage({ content: "", tool_calls: [{ name: tool, args, id: `call-${turn}` }] });
    });
  }
  return { model, count: () => model.callCount };
}
