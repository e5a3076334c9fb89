import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import type { ConversationView } from "../src/conversation/conversation-view.ts";
import type { AppView } from "../src/web-server/protocol.ts";
import { Button } from "./button.tsx";
import { Stories } from "./stories.tsx";

interface ComposerProps {
  readonly app: AppView;
  readonly conversation: ConversationView;
  onSend(text: string): void;
}

export function Composer({ app, conversation, onSend }: ComposerProps) {
  const { mode, isBusy, isSignedIn, entries } = conversation;
  const [text, setText] = useState("");
  const hintId = useId();
  const hasSpoken = entries.some((one) => one.type === "user" && one.isTyped);

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
      {isSignedIn && <Stories {...{ mode, isBusy, onSend }} isOpen={!hasSpoken} />}
      <div className="field">
        <label className="visually-hidden" htmlFor="message">
          Your message
        </label>
        <textarea
          id="message"
          rows={1}
          maxLength={4000}
          value={text}
          placeholder="Write here…"
          aria-describedby={hintId}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button look="primary" disabled={isBusy || text.trim() === ""}>
          Send
        </Button>
      </div>
      <p className="quiet-text" id={hintId}>
        {!isSignedIn && `Sign in with the PIN ${app.pin} to see what to try. `}
        This is a demo: no real bank, no real money.
      </p>
    </form>
  );
}
