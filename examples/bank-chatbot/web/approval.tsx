import { useId } from "react";
import type { ApprovalView } from "../src/web-server/protocol.ts";

interface ApprovalProps {
  readonly view: ApprovalView;
  readonly isBusy: boolean;
  onDecide(approved: boolean): void;
}

const OUTCOMES = {
  approved: "You approved this.",
  declined: "You declined this.",
  left: "You went on without an answer, so this was not done.",
};

/** A call that waits for the customer's word. Nothing has been done yet. */
export function Approval({ view, isBusy, onDecide }: ApprovalProps) {
  const { title, details, state } = view;
  const titleId = useId();
  const isOpen = state === "open";
  return (
    <section
      className="card approval"
      aria-labelledby={titleId}
      data-control={isOpen || undefined}
      tabIndex={-1}
    >
      <p className="kicker">The assistant needs your approval</p>
      <h2 id={titleId}>{title}</h2>
      <dl>
        {details.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isOpen ? (
        <div className="choices">
          <button
            type="button"
            className="button primary"
            disabled={isBusy}
            onClick={() => onDecide(true)}
          >
            Approve
          </button>
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => onDecide(false)}
          >
            Decline
          </button>
        </div>
      ) : (
        <p className="outcome">{OUTCOMES[state]}</p>
      )}
    </section>
  );
}
