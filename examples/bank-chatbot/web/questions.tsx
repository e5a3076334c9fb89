import { type FormEvent, useState } from "react";
import type { Entry, EntryOf } from "../src/conversation/conversation-view.ts";
import type { Chat } from "./conversation.ts";

export interface PartProps<Type extends Entry["type"]> extends Pick<Chat, "act"> {
  readonly entry: EntryOf<Type>;
  readonly isBusy: boolean;
}

/** A widget of the bank: it calls its tool through the server, and no model is asked. */
export function Control(props: PartProps<"control">) {
  const { entry, isBusy, act } = props;
  const { id, kind, title, choices, state } = entry;
  if (state === "answered") {
    return (
      <p className="quiet-text">
        <span aria-hidden="true">✓</span> {title}
      </p>
    );
  }
  return (
    <section className={`card ${kind}`} aria-labelledby={id} data-open tabIndex={-1}>
      <h2 id={id}>{title}</h2>
      {choices ? (
        <div className="choices row">
          {choices.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              className={value === "confirm" ? "primary" : ""}
              disabled={isBusy}
              onClick={() => act({ type: "control", id, value })}
            >
              {label}
            </button>
          ))}
        </div>
      ) : (
        <Field {...props} />
      )}
    </section>
  );
}

function Field({ entry, isBusy, act }: PartProps<"control">) {
  const { id, secret, unit } = entry;
  const [value, setValue] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (value !== "" && !isBusy) act({ type: "control", id, value });
  }

  return (
    <form className="field row" onSubmit={submit}>
      {unit && <span aria-hidden="true">{unit}</span>}
      <input
        type={secret ? "password" : "number"}
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

/** A call that waits for the customer's word. Nothing has been done yet. */
export function Approval({ entry, isBusy, act }: PartProps<"approval">) {
  const { id, title, details, reason, state } = entry;
  const isOpen = state === "open";
  const decide = (approved: boolean) => () => act({ type: "approval", id, approved });
  return (
    <section className="card" aria-labelledby={id} data-open={isOpen || undefined} tabIndex={-1}>
      <p className="quiet-text">The assistant needs your approval</p>
      <h2 id={id}>{title}</h2>
      <dl>
        {details.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {reason && <p>{reason}</p>}
      {isOpen ? (
        <div className="choices row">
          <button type="button" className="primary" disabled={isBusy} onClick={decide(true)}>
            Approve
          </button>
          <button type="button" disabled={isBusy} onClick={decide(false)}>
            Decline
          </button>
        </div>
      ) : (
        <p className="quiet-text">You {state} this.</p>
      )}
    </section>
  );
}
