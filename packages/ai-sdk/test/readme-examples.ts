// The examples of README.md as they are compiled; `readme.test.ts` holds the two together.
import {
  createTools,
  llmSteps,
  shownToUser,
  type UserContentParts,
  withChaining,
  writeUserContent,
} from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import { isToolOutput } from "@toolrail/ai-sdk/page";
import { type ContentBlock, createHost, type Server, userView } from "@toolrail/core";
import {
  createUIMessageStream,
  generateText,
  type LanguageModel,
  type ModelMessage,
  stepCountIs,
  streamText,
  type UIMessage,
} from "ai";

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
    authorize: ({ tool }) => (tool.id === "bank.transfer" ? "ask" : "allow"),
  });
  const stream = createUIMessageStream<UIMessage<unknown, UserContentParts>>({
    execute: ({ writer }) => {
      const settings = withChaining(host, {
        ...{ model, messages, stopWhen: llmSteps(5) },
        chaining: { onHop: writeUserContent(writer) },
        experimental_toolApprovalSecret: approvalSecret, // without it a browser can forge approvals
      });
      writer.merge(streamText(settings).toUIMessageStream());
    },
  });
  return stream;
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
