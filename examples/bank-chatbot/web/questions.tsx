import { type FormEvent, useState } from "react";
import type { EntryOf } from "../src/conversation/conversation-view.ts";
import type { Chat } from "./conversation.ts";

interface Props extends Pick<Chat, "act"> {
  readonly question: EntryOf<"question">;
  readonly isBusy: boolean;
}

/** A widget of the bank, or a call that waits for approval. Widgets call their tool through the server, and no model is asked. */
export function Question(props: Props) {
  const { id, kind, title, choices, state, details, reason } = props.question;
  if (state === "answered") {
    return (
      <p className="quiet-text">
        <span aria-hidden="true">✓</span> {title}
      </p>
    );
  }
  const isOpen = state === "open";
  const Answer = choices ? Choices : Field;
  return (
    <section
      className={`card ${kind}`}
      aria-labelledby={id}
      data-open={isOpen || undefined}
      tabIndex={-1}
    >
      {kind === "approval" && <p className="quiet-text">The assistant needs your approval</p>}
      <h2 id={id}>{title}</h2>
      {details && (
        <dl>
          {details.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {reason && <p>{reason}</p>}
      {isOpen ? <Answer {...props} /> : <p className="quiet-text">You {state} this.</p>}
    </section>
  );
}

function Choices({ question, isBusy, act }: Props) {
  const { id, kind, choices = [] } = question;
  return (
    <div className="choices row">
      {choices.map((value, index) => (
        <button
          key={value}
          type="button"
          className={index === 0 && kind !== "options" ? "primary" : ""}
          disabled={isBusy}
          onClick={() => act({ type: "answer", id, value })}
        >
          {value}
        </button>
      ))}
    </div>
  );
}

function Field({ question, isBusy, act }: Props) {
  const { id, unit } = question;
  const [value, setValue] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (value !== "" && !isBusy) act({ type: "answer", id, value });
  }

  return (
    <form className="field row" onSubmit={submit}>
      {unit && <span aria-hidden="true">{unit}</span>}
      <input
        type="number"
        inputMode="decimal"
        step="any"
        maxLength={100}
        autoComplete="off"
        aria-labelledby={id}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <button type="submit" className="primary" disabled={isBusy || value === ""}>
        Continue
      </button>
    </form>
  );
}
