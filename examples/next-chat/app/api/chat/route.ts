import { llmSteps, withChaining, writeUserContent } from "@toolrail/ai-sdk";
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  streamText,
} from "ai";
import * as z from "zod";
import type { ChatMessage } from "../../../lib/chat-message";
import { getHost } from "../../../lib/host";
import { approvalSecret, model } from "../../../lib/settings";

const Widget = z.object({ sizes: z.array(z.string()) });

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: ChatMessage[] };
  const host = await getHost();
  const { tools } = withChaining(host, {
    model,
    experimental_toolApprovalSecret: approvalSecret(),
  });
  const history = await convertToModelMessages(messages, { tools });
  const stream = createUIMessageStream<ChatMessage>({
    execute: ({ writer }) => {
      const showContent = writeUserContent(writer);
      const settings = withChaining(host, {
        ...{ model, messages: history, stopWhen: llmSteps(5) },
        experimental_toolApprovalSecret: approvalSecret(),
        chaining: {
          conversation: id, // If users sign in: the id of the user and of the conversation.
          onHop: (result) => {
            showContent(result);
            const widget = Widget.safeParse(result.hop.result._meta?.["shop/widget"]);
            if (widget.success) writer.write({ type: "data-widget", data: widget.data });
          },
        },
      });
      const result = streamText({ ...settings, onError: ({ error }) => console.error(error) });
      writer.merge(result.toUIMessageStream({ originalMessages: messages }));
    },
  });
  return createUIMessageStreamResponse({ stream });
}
