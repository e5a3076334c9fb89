import { type FormEvent, type KeyboardEvent, useId, useState } from "react";

const SUGGESTIONS = [
  "Which accounts do I have?",
  "Transfer 250 from my primary checking to my savings.",
  "I would like to transfer money.",
  "My primary checking seems to be blocked. Can you check it?",
] as const;

interface ComposerProps {
  readonly hint: string | undefined;
  readonly isBusy: boolean;
  readonly isEnded: boolean;
  readonly suggests: boolean;
  readonly canAsk: boolean;
  onSend(text: string): void;
  onStop(): void;
  onRestart(): void;
}

export function Composer(props: ComposerProps) {
  const { hint, isBusy, isEnded, suggests, canAsk, onSend, onStop, onRestart } = props;
  const [text, setText] = useState("");
  const hintId = useId();

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    const trimmed = text.trim();
    if (!trimmed || isBusy) return;
    setText("");
    onSend(trimmed);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  if (isEnded) {
    return (
      <div className="composer ended">
        <p>This conversation has ended.</p>
        <button id="message" type="button" className="button primary" onClick={onRestart}>
          Start a new one
        </button>
      </div>
    );
  }
  return (
    <form className="composer" onSubmit={submit}>
      {suggests && canAsk && (
        <ul className="suggestions" aria-label="Suggestions">
          {SUGGESTIONS.map((suggestion) => (
            <li key={suggestion}>
              <button
                type="button"
                className="chip"
                disabled={isBusy}
                onClick={() => onSend(suggestion)}
              >
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="composer-row">
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
        {isBusy ? (
          // The second click of a double click on Send falls on this one.
          <button type="button" className="button" onClick={({ detail }) => detail < 2 && onStop()}>
            Stop
          </button>
        ) : (
          <button type="submit" className="button primary" disabled={text.trim() === ""}>
            Send
          </button>
        )}
      </div>
      <p className="hint" id={hintId}>
        {hint} This is a demo: no real bank, no real money.
      </p>
    </form>
  );
}
