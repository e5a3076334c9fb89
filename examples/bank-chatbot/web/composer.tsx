import { type FormEvent, useState } from "react";
import type { Chat } from "./conversation.ts";

const LOCKED = "My primary checking seems to be blocked. Can you check it?";

/** The sentences to try, by what each of them shows. */
const STORIES = {
  "A result that names the next tool": "Transfer 250 from my primary checking to my savings.",
  "A large transfer waits for you": "Transfer 5000 from my savings to my everyday current.",
  "Forms that need no model": "I would like to transfer money.",
  "A specialist takes over": LOCKED,
};

const GUARD_STORIES = {
  "Two calls in one question": "What are the balances of my savings and my vacation fund?",
  "A result that names the next tool": LOCKED,
  "A call that the list leaves to you": "Transfer 50 from my savings to my everyday current.",
};

/** Where the customer writes, or chooses a story. */
export function Composer(chat: Chat) {
  const { isBusy } = chat.conversation;
  const [text, setText] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (text.trim() === "" || isBusy) return;
    setText("");
    chat.act({ type: "text", text });
  }

  return (
    <form className="stack" onSubmit={submit}>
      <Stories {...chat} />
      <div className="field row">
        <input
          id="message"
          autoComplete="off"
          maxLength={4000}
          placeholder="Write here…"
          aria-label="Your message"
          aria-describedby="hint"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="primary" disabled={isBusy || text.trim() === ""}>
          Send
        </button>
      </div>
      <p className="quiet-text" id="hint">
        This is a demo: no real bank, no real money.
      </p>
    </form>
  );
}

function Stories({ conversation, act }: Chat) {
  const { mode, isBusy, entries } = conversation;
  const hasSpoken = entries.some((one) => one.type === "user" && one.isTyped);
  return (
    <details className="stories" open={!hasSpoken}>
      <summary className="quiet-text">Stories to try</summary>
      <ul>
        {Object.entries(mode === "guard" ? GUARD_STORIES : STORIES).map(([title, text]) => (
          <li key={title}>
            <button type="button" disabled={isBusy} onClick={() => act({ type: "text", text })}>
              <b>{title}</b>
              <span className="quiet-text">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
