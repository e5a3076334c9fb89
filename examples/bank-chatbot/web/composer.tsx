import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import type { ConversationView } from "../src/conversation/conversation-view.ts";
import type { AppView } from "../src/web-server/protocol.ts";
import { Button } from "./button.tsx";

const SUGGESTIONS = [
  "Which accounts do I have?",
  "Transfer 250 from my primary checking to my savings.",
  "I would like to transfer money.",
  "Is there any mail for me?",
  "My primary checking seems to be blocked. Can you check it?",
] as const;
const BILLS = "Please pay my three open bills.";

interface ComposerProps {
  readonly app: AppView;
  readonly conversation: ConversationView;
  onSend(text: string): void;
}

export function Composer({ app, conversation, onSend }: ComposerProps) {
  const { isBusy, isSignedIn, entries } = conversation;
  const [text, setText] = useState("");
  const hintId = useId();
  const suggests = isSignedIn && !entries.some((one) => one.type === "user" && one.isTyped);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const trimmed = text.trim();
    if (!trimmed || isBusy) return;
    setText("");
    onSend(trimmed);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
  }

  return (
    <form className="composer" onSubmit={submit}>
      {suggests && (
        <ul className="choices" aria-label="Suggestions">
          {[...SUGGESTIONS, ...(app.hasBills ? [BILLS] : [])].map((suggestion) => (
            <li key={suggestion}>
              <Button look="chip" disabled={isBusy} onClick={() => onSend(suggestion)}>
                {suggestion}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="field">
        <label className="visually-hidden" htmlFor="message">
          Your message
        </label>
        <textarea
          id="message"
          rows={1}
          maxLength={4000}
          value={text}
          placeholder="Write to the bank…"
          aria-describedby={hintId}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button look="primary" disabled={isBusy || text.trim() === ""}>
          Send
        </Button>
      </div>
      <p className="quiet-text" id={hintId}>
        The demo's PIN is {app.pin}. This is a demo: no real bank, no real money.
      </p>
    </form>
  );
}
