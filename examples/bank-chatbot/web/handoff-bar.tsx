interface HandoffBarProps {
  readonly text: string;
  readonly isBusy: boolean;
  onTakeBack(): void;
}

export function HandoffBar({ text, isBusy, onTakeBack }: HandoffBarProps) {
  return (
    <div className="handoff" role="status">
      <p>
        <strong>You are with a person.</strong> {text}{" "}
        <span className="quiet-text">(In this demo nobody is at the other end.)</span>
      </p>
      <button type="button" className="button" disabled={isBusy} onClick={onTakeBack}>
        Back to the assistant
      </button>
    </div>
  );
}
