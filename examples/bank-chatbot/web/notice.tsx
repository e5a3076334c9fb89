import type { NoticeView } from "../src/web-server/protocol.ts";

interface NoticeProps {
  readonly view: NoticeView;
  readonly isBusy: boolean;
  onRetry(text: string): void;
}

export function Notice({ view, isBusy, onRetry }: NoticeProps) {
  const { kind, text, retryText } = view;
  return (
    <div className={`notice ${kind}`} role={kind === "problem" ? "alert" : "status"}>
      <p>{text}</p>
      {retryText && (
        <button
          type="button"
          className="button"
          disabled={isBusy}
          onClick={() => onRetry(retryText)}
        >
          Try again
        </button>
      )}
    </div>
  );
}
