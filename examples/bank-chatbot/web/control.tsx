import { type FormEvent, useId, useState } from "react";
import type { Entry } from "../src/conversation/conversation-view.ts";
import { Button } from "./button.tsx";

interface ControlProps {
  readonly view: Entry & { readonly type: "control" };
  readonly isBusy: boolean;
  onAnswer(value: string): void;
}

/** A widget of the bank: it calls its tool through the server, and no model is asked. */
export function Control({ view, isBusy, onAnswer }: ControlProps) {
  const { kind, title, choices, state } = view;
  const titleId = useId();
  if (state === "answered") {
    return (
      <p className="quiet-text">
        <span aria-hidden="true">✓</span> {title}
      </p>
    );
  }
  return (
    <section className={`card ${kind}`} aria-labelledby={titleId} data-open tabIndex={-1}>
      <h2 id={titleId}>{title}</h2>
      {choices ? (
        <div className="choices">
          {choices.map(({ value, label }) => (
            <Button
              key={value}
              {...(value === "confirm" && { look: "primary" })}
              disabled={isBusy}
              onClick={() => onAnswer(value)}
            >
              {label}
            </Button>
          ))}
        </div>
      ) : (
        <Field view={view} titleId={titleId} isBusy={isBusy} onAnswer={onAnswer} />
      )}
    </section>
  );
}

interface FieldProps extends ControlProps {
  readonly titleId: string;
}

function Field({ view, titleId, isBusy, onAnswer }: FieldProps) {
  const { secret, unit } = view;
  const [value, setValue] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (value !== "" && !isBusy) onAnswer(value);
  }

  return (
    <form className="field" onSubmit={submit}>
      {unit && <span aria-hidden="true">{unit}</span>}
      <input
        type={secret ? "password" : "number"}
        inputMode="decimal"
        step="any"
        maxLength={100}
        autoComplete="off"
        aria-labelledby={titleId}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
      <Button look="primary" disabled={isBusy || value === ""}>
        Continue
      </Button>
    </form>
  );
}
