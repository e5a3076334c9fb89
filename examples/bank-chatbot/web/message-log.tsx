import { useRef } from "react";
import { AnswerParts } from "./answer-parts.tsx";
import type { Conversation } from "./use-conversation.ts";
import { useFocusNext } from "./use-focus-next.ts";
import { useFollowEnd } from "./use-follow-end.ts";

/** The conversation so far. Screen readers hear what is new when an answer is complete. */
export function MessageLog({ conversation }: { readonly conversation: Conversation }) {
  const { messages, isBusy, hasFailed } = conversation;
  const log = useRef<HTMLDivElement>(null);
  useFollowEnd(log, isBusy);
  useFocusNext(log, isBusy);

  return (
    <div className="log" ref={log} role="log" aria-busy={isBusy} aria-live="polite">
      <ol className="messages">
        {messages.map((message) =>
          message.role === "user" ? (
            <li key={message.id} className="message user">
              <span className="visually-hidden">You: </span>
              {message.parts.map((part) => (part.type === "text" ? part.text : ""))}
            </li>
          ) : (
            <li key={message.id} className="message bank">
              <span className="visually-hidden">The bank: </span>
              <AnswerParts message={message} conversation={conversation} />
            </li>
          ),
        )}
        {isBusy && messages.at(-1)?.role === "user" && <Typing />}
      </ol>
      {hasFailed && (
        <div className="notice problem" role="alert">
          <p>
            The connection to the bank's server was lost. What you asked for may have been done:
            reload the page to see.
          </p>
          <button type="button" className="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      )}
    </div>
  );
}

function Typing() {
  return (
    <li className="message bank typing">
      <span className="visually-hidden">The bank is answering.</span>
      <i />
      <i />
      <i />
    </li>
  );
}
