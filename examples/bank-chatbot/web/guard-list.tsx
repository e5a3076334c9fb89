import type { ConversationView } from "../src/conversation/conversation-view.ts";

interface GuardListProps {
  readonly mayCall: NonNullable<ConversationView["mayCall"]>;
}

/** The list of the operator, beside a conversation in guard mode. */
export function GuardList({ mayCall }: GuardListProps) {
  return (
    <section className="panel" aria-labelledby="guard-title">
      <h2 id="guard-title">What a question may call</h2>
      {mayCall.length === 0 && <p className="quiet-text">Nothing, until you have signed in.</p>}
      <ul className="may-call">
        {mayCall.map(({ title, asks }) => (
          <li key={title}>
            {title}
            {asks && <span className="quiet-text"> asks you first</span>}
          </li>
        ))}
      </ul>
      <p className="quiet-text">One call for each question. Everything else is refused.</p>
    </section>
  );
}
