import { useEffect, useRef } from "react";
import { AnswerParts } from "./answer-parts.tsx";
import type { Conversation } from "./use-conversation.ts";

/** The conversation so far. Screen readers hear what is new when an answer is complete. */
export function MessageLog({ conversation }: { readonly conversation: Conversation }) {
  const { messages, isBusy, hasFailed } = conversation;
  const log = useRef<HTMLDivElement>(null);
  const wasBusy = useRef(false);

  useEffect(() => {
    const box = log.current;
    if (messages.length === 0 || !box) return;
    // On a narrow screen the page scrolls, not the log.
    if (box.scrollHeight > box.clientHeight) box.scrollTo({ top: box.scrollHeight });
    else box.querySelector(".messages > li:last-child")?.scrollIntoView({ block: "nearest" });
  }, [messages]);

  // What has been pressed is gone: put the focus where the customer goes on.
  useEffect(() => {
    if (wasBusy.current && !isBusy) {
      const last = log.current?.querySelector(".messages > li:last-child");
      const control = last?.querySelector<HTMLElement>("[data-control] :is(button, input)");
      (control ?? document.getElementById("message"))?.focus({ preventScroll: true });
    }
    wasBusy.current = isBusy;
  }, [isBusy]);

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
        <p className="notice problem" role="alert">
          The connection to the bank's server was lost. What you asked for may have been done:
          reload the page to see.
          <button type="button" className="button" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
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
