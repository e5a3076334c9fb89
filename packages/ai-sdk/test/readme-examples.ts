// The examples of README.md as they are compiled; `readme.test.ts` holds the two together.
import { type ContentBlock, createHost, type Server, userView } from "@toolrail/core";
import {
  createUIMessageStream,
  generateText,
  type InferUITools,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  stepCountIs,
  streamText,
  type UIMessage,
} from "ai";
import * as z from "zod";
import { withSingleStep } from "../src/guard/index.ts";
import {
  createTools,
  llmSteps,
  shownToUser,
  type UserContentParts,
  withChaining,
  writeUserContent,
} from "../src/index.ts";
import { isToolOutput } from "../src/page.ts";

type ChatMessage = UIMessage<unknown, UserContentParts>;

const bill = (_usage: LanguageModelUsage) => {};
const show = (_content: readonly ContentBlock[]) => {};

interface Given {
  readonly bank: Server;
  readonly model: LanguageModel;
  readonly messages: ModelMessage[];
  /** The same in all processes of the application. */
  readonly approvalSecret: string;
}

export async function chainInsideOneCall({ bank, model }: Given) {
  const host = await createHost({ servers: { bank } });
  const result = streamText({
    model,
    tools: createTools(host, { onHop: ({ hop }) => show(userView(hop).verbatim) }),
    prompt: "What is my balance?",
    stopWhen: [stepCountIs(10), shownToUser()],
  });
  return result;
}

export async function eachHopAStep({ bank, model, messages, approvalSecret }: Given) {
  const host = await createHost({
    servers: { bank },
    authorize: ({ tool }) => (tool.name === "transfer" ? "ask" : "allow"),
  });
  const stream = createUIMessageStream<ChatMessage>({
    execute: ({ writer }) => {
      const chaining = { onHop: writeUserContent(writer) };
      const settings = withChaining(host, {
        ...{ model, messages, chaining, stopWhen: llmSteps(5) },
        experimental_toolApprovalSecret: approvalSecret, // Without it a browser can forge approvals.
      });
      const result = streamText({ ...settings, onFinish: ({ usage }) => bill(usage) });
      writer.merge(result.toUIMessageStream());
    },
  });
  return stream;
}

export async function typesForAPage({ bank }: Pick<Given, "bank">) {
  const schemas = {
    "bank.get_balance": { input: z.object({}), output: z.object({ balance: z.number() }) },
  };
  const host = await createHost({ servers: { bank }, schemas });
  const tools = createTools(host, { typed: { get_balance: "bank.get_balance" } });
  type ChatMessage = UIMessage<unknown, UserContentParts, InferUITools<typeof tools>>;
  return { tools, messages: [] as ChatMessage[] };
}

export function problemOf(part: { readonly output?: unknown }): string | undefined {
  if (!isToolOutput(part.output) || !part.output.isError) return undefined;
  return part.output.error?.message ?? "The tool reported an error.";
}

export async function oneCallAQuery({ bank, model, approvalSecret }: Given) {
  const host = await createHost({ servers: { bank } });
  const settings = withSingleStep(host, {
    model,
    singleStep: { allow: { "bank.get_balance": "allow", "bank.close_account": "ask" } },
    experimental_toolApprovalSecret: approvalSecret,
  });
  const { text } = await generateText({ ...settings, prompt: "What is my balance?" });
  return text;
}
