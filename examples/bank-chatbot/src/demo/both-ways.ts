import { createMCPClient } from "@ai-sdk/mcp";
import { type CallToolResult, modelView } from "@toolrail/core";
import { generateText, isStepCount, type LanguageModel, type ModelMessage } from "ai";
import { INSTRUCTIONS } from "../agents/agent.ts";
import { connectBank } from "../bank-process.ts";
import type { Entry, HopView, TurnInput } from "../conversation/conversation-view.ts";
import {
  type ConversationOptions,
  createConversation,
  toTexts,
} from "../conversation/create-conversation.ts";

/** The sentences of the demo's customer. The second one is about the locked account. */
export const CONVERSATION = [
  "Which accounts do I have?",
  "Please transfer 250 from my primary checking to my savings.",
  "My primary checking account seems to be blocked. Can you check it?",
] as const;

/** The events of one turn of a conversation. */
export interface TurnReport {
  readonly user: string;
  /** The texts that the customer was shown: content for the user word for word, then the model's text. */
  readonly shown: readonly string[];
  /** The calls of tools. The duration is absent if the framework does not report it. */
  readonly hops: readonly (Pick<HopView, "tool" | "by" | "durationMs"> & { isError: boolean })[];
  /** The part of the tools' results that the model read. */
  readonly modelRead: readonly string[];
  readonly modelCalls: number;
  readonly tokens: number;
}

/** Adds up what turns cost. */
export function sumCosts(turns: readonly TurnReport[]) {
  return {
    modelCalls: turns.reduce((sum, turn) => sum + turn.modelCalls, 0),
    tokens: turns.reduce((sum, turn) => sum + turn.tokens, 0),
  };
}

export type Rails = ReturnType<typeof openRails>;

/** Opens a conversation on rails that reports each turn. */
export function openRails(bank: URL, options: Pick<ConversationOptions, "endpoint" | "mode">) {
  let modelRead: string[] = [];
  let problem: unknown;
  const conversation = createConversation({
    ...options,
    connect: () => connectBank(bank),
    onHop(hop) {
      const { content, placeholder } = modelView(hop);
      if (!placeholder) modelRead.push(...toTexts(content));
    },
    onProblem(error) {
      problem = error;
    },
  });

  async function take(input: TurnInput): Promise<TurnReport> {
    modelRead = [];
    problem = undefined;
    const before = conversation.view().entries.length;
    await conversation.take(input);
    const entries = conversation.view().entries.slice(before);
    const calls = entries.filter((one) => one.type === "model");
    const hops = entries.filter((one) => one.type === "hop");
    const isShown = ({ type }: Entry) => ["shown", "words", "notice"].includes(type);
    return {
      user: entries.find((one) => one.type === "user")?.text ?? "",
      shown: entries.flatMap((one) => (isShown(one) && "text" in one ? one.text : [])),
      hops: hops.map(({ tool, by, state, durationMs }) => ({
        ...{ tool: tool.replace("bank.", ""), by, isError: state !== "done" },
        ...(durationMs !== undefined && { durationMs }),
      })),
      modelRead: calls.length > 0 ? modelRead : [],
      modelCalls: calls.length,
      tokens: calls.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    };
  }

  /** Rejects if the turn has a problem. */
  async function say(text: string): Promise<TurnReport> {
    const report = await take({ type: "text", text });
    if (problem) throw problem;
    return report;
  }

  /** Finds what waits for the customer: an approval, or else the newest question. */
  function findQuestion() {
    const questions = conversation.view().entries.filter((one) => one.type === "question");
    const open = questions.filter(({ state }) => state === "open");
    return open.find(({ kind }) => kind === "approval") ?? open.at(-1);
  }
  return { take, say, findQuestion, close: conversation.close };
}

/** The same chatbot on the plain MCP tools of the AI SDK: the model has to relay every step. */
export async function createRelayAgent(bank: URL, model: LanguageModel) {
  const client = await createMCPClient({ transport: { type: "http", url: bank.href } });
  const tools = await client.tools();
  const messages: ModelMessage[] = [];
  return {
    async say(user: string, signal?: AbortSignal): Promise<TurnReport> {
      messages.push({ role: "user", content: user });
      const result = await generateText({
        ...{ model, instructions: INSTRUCTIONS, tools, messages, stopWhen: isStepCount(6) },
        ...(signal && { abortSignal: signal }),
      });
      messages.push(...result.responseMessages);
      const calls = result.steps
        .flatMap((step) => step.toolResults)
        .map(({ toolName: tool, output }) => ({ tool, ...(output as CallToolResult) }));
      return {
        user,
        shown: result.text ? [result.text] : [],
        hops: calls.map(({ tool, isError = false }) => ({ tool, by: "model", isError })),
        modelRead: calls.flatMap(({ content }) => toTexts(content)),
        modelCalls: result.steps.length,
        tokens: result.usage.totalTokens ?? 0,
      };
    },
    close: () => client.close(),
  };
}
