import { type FormEvent, useId, useState } from "react";
import { toControlLabel } from "../src/web-server/control-label.ts";
import type { ControlView } from "../src/web-server/protocol.ts";

interface ControlProps {
  readonly view: ControlView;
  readonly isBusy: boolean;
  onAnswer(value: string, label: string): void;
}

/** A real control: it calls its tool through the server, and no model is asked. */
export function Control({ view, isBusy, onAnswer }: ControlProps) {
  const { kind, title, choices = [], state, answer } = view;
  const titleId = useId();
  const isOpen = state === "open";
  if (state === "answered") {
    return (
      <p className="answered">
        <span aria-hidden="true">✓</span> {title}
        <span className="visually-hidden"> Your answer: {answer}</span>
      </p>
    );
  }
  return (
    <section
      className={`card control ${kind}`}
      aria-labelledby={titleId}
      data-control={isOpen || undefined}
      tabIndex={-1}
    >
      <h2 id={titleId}>{title}</h2>
      {!isOpen && <p className="outcome">{answer} – one moment…</p>}
      {isOpen && choices.length > 0 && (
        <div className="choices">
          {choices.map(({ value, label }, index) => (
            <button
              key={value}
              type="button"
              className={kind === "confirmation" && index === 0 ? "button primary" : "button"}
              disabled={isBusy}
              onClick={() => onAnswer(value, label)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {isOpen && choices.length === 0 && (
        <Field view={view} titleId={titleId} isBusy={isBusy} onAnswer={onAnswer} />
      )}
    </section>
  );
}

interface FieldProps extends ControlProps {
  readonly titleId: string;
}

function Field({ view, titleId, isBusy, onAnswer }: FieldProps) {
  const { kind, secret, unit, placeholder, min, max } = view;
  const [value, setValue] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (value !== "" && !isBusy) onAnswer(value, toControlLabel(view, value));
  }

  return (
    <form className="field" onSubmit={submit}>
      {unit && <span aria-hidden="true">{unit}</span>}
      <input
        {...inputOf(view)}
        aria-labelledby={titleId}
        required
        value={value}
        placeholder={placeholder}
        {...(kind !== "text" && !secret && { min, max })}
        onChange={(event) => setValue(event.target.value)}
      />
      <button type="submit" className="button primary" disabled={isBusy || value === ""}>
        Continue
      </button>
    </form>
  );
}

function inputOf({ kind, secret, dateOnly }: ControlView) {
  if (secret) {
    const inputMode = kind === "number" ? ("numeric" as const) : undefined;
    return { type: "password", autoComplete: "off", inputMode, maxLength: 64 };
  }
  switch (kind) {
    case "number":
      return { type: "number", inputMode: "decimal" as const, step: "any" };
    case "datetime":
      return { type: dateOnly ? "date" : "datetime-local" };
    default:
      return { type: "text", maxLength: 1000 };
  }
}
