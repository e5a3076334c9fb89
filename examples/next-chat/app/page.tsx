"use client";

import { useChat } from "@ai-sdk/react";
import { lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import type { FormEvent } from "react";
import type { ChatMessage } from "../lib/chat-message";
import { MessagePart } from "./message-part";

/** Parts are only ever added at the end, so that their place names them. */
const keyed = (parts: ChatMessage["parts"]) => parts.map((part, at) => ({ part, key: String(at) }));

export default function Chat() {
  const { messages, sendMessage, addToolApprovalResponse, status, error } = useChat<ChatMessage>({
    // The answer to an approval goes to the server at once.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    void sendMessage({ text: String(new FormData(form).get("text")) });
    form.reset();
  };
  return (
    <main>
      <h1>Shop</h1>
      <ol aria-live="polite">
        {messages.map((message) => (
          <li key={message.id} data-role={message.role}>
            {keyed(message.parts).map(({ part, key }) => (
              <MessagePart
                key={key}
                part={part}
                onAnswer={(approval, approved) =>
                  void addToolApprovalResponse({ id: approval, approved })
                }
                onPick={(size) => void sendMessage({ text: `Size ${size}, please.` })}
              />
            ))}
          </li>
        ))}
      </ol>
      {error && <p role="alert">The answer failed: {error.message}</p>}
      <form onSubmit={send}>
        <input name="text" aria-label="Message" required disabled={status !== "ready"} />
        <button type="submit">Send</button>
      </form>
    </main>
  );
}
