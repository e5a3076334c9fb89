import { useId } from "react";
import type { ApprovalView } from "../src/conversation/conversation-view.ts";
import { Button } from "./button.tsx";

interface ApprovalProps {
  readonly view: ApprovalView;
  readonly isBusy: boolean;
  onDecide(approved: boolean): void;
}

/** A call that waits for the customer's word. Nothing has been done yet. */
export function Approval({ view, isBusy, onDecide }: ApprovalProps) {
  const { title, details, reason, state } = view;
  const titleId = useId();
  const isOpen = state === "open";
  return (
    <section
      className="card approval"
      aria-labelledby={titleId}
      data-open={isOpen || undefined}
      tabIndex={-1}
    >
      <p className="quiet-text">The assistant needs your approval</p>
      <h2 id={titleId}>{title}</h2>
      <dl>
        {details.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {reason && <p className="reason">{reason}</p>}
      {isOpen ? (
        <div className="choices">
          <Button look="primary" disabled={isBusy} onClick={() => onDecide(true)}>
            Approve
          </Button>
          <Button disabled={isBusy} onClick={() => onDecide(false)}>
            Decline
          </Button>
        </div>
      ) : (
        <p className="quiet-text">You {state} this.</p>
      )}
    </section>
  );
}
