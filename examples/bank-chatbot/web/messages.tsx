import { type RefObject, useEffect, useRef } from "react";
import type { ConversationView, Entry, TurnInput } from "../src/conversation/conversation-view.ts";
import { Approval } from "./approval.tsx";
import { Control } from "./control.tsx";
import { Steps } from "./steps.tsx";

interface MessagesProps {
  readonly conversation: ConversationView;
  onAct(input: TurnInput): void;
}

/** The conversation so far. Screen readers hear what is new when an answer is complete. */
export function Messages({ conversation, onAct }: MessagesProps) {
  const { entries, isBusy } = conversation;
  const log = useRef<HTMLDivElement>(null);
  useFocusNext(log, conversation);
  return (
    // The column is reversed, so that its end stays in view unless the customer has scrolled back.
    <div className="log" ref={log} role="log" aria-busy={isBusy} aria-live="polite">
      <ol className="messages">
        {toTurns(entries).map(([first, ...rest]) => (
          <li key={first.id} className="turn">
            {first.type === "user" && (
              <p className="user">
                <span className="visually-hidden">You: </span>
                {first.text}
              </p>
            )}
            <div className="answer">
              <Steps entries={[first, ...rest]} />
              {[first, ...rest].map((entry) => (
                <Part key={entry.id} entry={entry} isBusy={isBusy} onAct={onAct} />
              ))}
            </div>
          </li>
        ))}
        {isBusy && <li className="quiet-text">One moment…</li>}
      </ol>
    </div>
  );
}

interface PartProps {
  readonly entry: Entry;
  readonly isBusy: boolean;
  onAct(input: TurnInput): void;
}

function Part({ entry, isBusy, onAct }: PartProps) {
  const { id, type } = entry;
  switch (type) {
    case "words":
    case "shown":
    case "guard":
      return <p className={type}>{entry.text}</p>;
    case "notice":
      return (
        <p className="notice" role="alert">
          {entry.text}
        </p>
      );
    case "control":
      return (
        <Control
          view={entry}
          isBusy={isBusy}
          onAnswer={(value) => onAct({ type: "control", id, value })}
        />
      );
    case "approval":
      return (
        <Approval
          view={entry}
          isBusy={isBusy}
          onDecide={(approved) => onAct({ type: "approval", id, approved })}
        />
      );
    default:
      return null;
  }
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
 * Moves the focus to the element with which the customer continues, since the pressed button is gone: into a field that waits, onto the question
 * if there are buttons (a second press of Enter must not confirm anything), or back to the message. A message that is being
 * written keeps the focus, and so does everything outside of the chat.
 */
function useFocusNext(log: RefObject<HTMLElement | null>, conversation: ConversationView): void {
  const { isBusy } = conversation;
  // Several views may come between two renderings: what was busy may never be seen.
  const { length } = conversation.entries;
  useEffect(() => {
    const message = document.querySelector<HTMLTextAreaElement>("#message");
    const { activeElement: active, body } = document;
    const isFree = active === body || active === message || log.current?.contains(active);
    // The customer corrects a refused value in its field.
    const isAsked = active?.closest("[data-open]") != null;
    if (length === 0 || isBusy || message?.value || !isFree || isAsked) return;
    const next = log.current?.querySelector<HTMLElement>(".turn:last-of-type [data-open]");
    (next?.querySelector("input") ?? next ?? message)?.focus();
  }, [log, isBusy, length]);
}
