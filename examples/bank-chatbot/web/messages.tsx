import { type RefObject, useEffect, useRef } from "react";
import type { ConversationView, Entry, HopView } from "../src/conversation/conversation-view.ts";
import type { Chat } from "./conversation.ts";
import { Question } from "./questions.tsx";

/** The conversation so far. Screen readers hear what is new when an answer is complete. */
export function Messages({ conversation, act }: Chat) {
  const { entries, isBusy } = conversation;
  const log = useRef<HTMLDivElement>(null);
  useFocusNext(log, conversation);
  return (
    <div ref={log} role="log" aria-busy={isBusy} aria-live="polite">
      <ol className="stack">
        <li className="said">Welcome. What can I do for you?</li>
        {toTurns(entries).map((turn) => (
          <li key={turn[0].id} className="turn stack">
            {turn[0].type === "user" && (
              <p className="said user">
                <span className="visually-hidden">You: </span>
                {turn[0].text}
              </p>
            )}
            <div className="answer stack">
              <Steps entries={turn} />
              {turn.map((entry) => (
                <Part key={entry.id} {...{ entry, isBusy, act }} />
              ))}
            </div>
          </li>
        ))}
        {isBusy && <li className="quiet-text">One moment…</li>}
      </ol>
    </div>
  );
}

interface PartProps extends Pick<Chat, "act"> {
  readonly entry: Entry;
  readonly isBusy: boolean;
}

function Part({ entry, ...chat }: PartProps) {
  switch (entry.type) {
    case "words":
    case "shown":
    case "guard":
      return <p className={`said ${entry.type}`}>{entry.text}</p>;
    case "notice":
      return <p role="alert">{entry.text}</p>;
    case "question":
      return <Question question={entry} {...chat} />;
    default:
      return null;
  }
}

const ASKED_BY: Readonly<Record<HopView["by"], string>> = {
  model: "asked for by the assistant",
  chain: "followed at once, no model asked",
  pipe: "a step of the assistant's pipe, no model asked",
  customer: "your choice, no model asked",
};

/** Every call of an answer, with its state and its time. */
function Steps({ entries }: { readonly entries: readonly Entry[] }) {
  const hops = entries.filter(({ type }) => type === "hop").length;
  if (hops === 0) return null;
  return (
    <details className="quiet-text" open>
      <summary>{toCalls(hops)} to the bank</summary>
      <ol>
        {entries.map((entry) => (
          <Step key={entry.id} entry={entry} />
        ))}
      </ol>
    </details>
  );
}

function Step({ entry }: { readonly entry: Entry }) {
  if (entry.type !== "hop" && entry.type !== "model") return null;
  const { state, durationMs } = entry;
  const isHop = entry.type === "hop";
  const said = entry.type === "model" && entry.tokens?.toLocaleString("en-US");
  return (
    <li className={`step ${isHop ? entry.by : "model-call"} ${state}`}>
      <span className="step-mark" aria-hidden="true" />
      <span className="step-name">{isHop ? entry.title : "Model"}</span>
      <span className="step-by">{isHop ? ASKED_BY[entry.by] : said && `${said} tokens`}</span>
      <span>
        <span className="visually-hidden">{state}, </span>
        {durationMs === undefined ? "…" : toTime(durationMs)}
      </span>
    </li>
  );
}

export const toCalls = (count: number) => (count === 1 ? "1 call" : `${count} calls`);

/** Milliseconds as a person reads them. */
export function toTime(ms: number): string {
  if (ms > 0 && ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Groups the entries: each action of the customer, with all that followed. */
function toTurns(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const turns: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const turn = turns.at(-1);
    if (!turn || entry.type === "user") turns.push([entry]);
    else turn.push(entry);
  }
  return turns;
}

/**
 * Moves the focus to where the customer continues, since the pressed button is gone: into a field that waits, onto the
 * question if there are buttons (a second press of Enter must not confirm anything), or back to the message. A message
 * that is being written keeps the focus, and so does everything outside of the chat.
 */
function useFocusNext(log: RefObject<HTMLElement | null>, conversation: ConversationView): void {
  const { isBusy } = conversation;
  // Several views may come between two renderings: what was busy may never be seen.
  const { length } = conversation.entries;
  useEffect(() => {
    const message = document.querySelector<HTMLInputElement>("#message");
    const { activeElement: active, body } = document;
    const isFree = active === body || active === message || log.current?.contains(active);
    // The customer corrects a refused value in its field.
    const isAsked = active?.closest("[data-open]") != null;
    if (isBusy || message?.value || !isFree || isAsked) return;
    const next = log.current?.querySelector<HTMLElement>(".turn:last-of-type [data-open]");
    (next?.querySelector("input") ?? next ?? message)?.focus();
  }, [log, isBusy, length]);
}
