import type { Entry, HopView } from "../src/conversation/conversation-view.ts";

const ASKED_BY: Readonly<Record<HopView["by"], string>> = {
  model: "asked for by the assistant",
  chain: "followed at once, no model asked",
  pipe: "a step of the assistant's pipe, no model asked",
  customer: "your choice, no model asked",
  application: "by this page, no model asked",
};

/** Every call of an answer, with its state and its time. */
export function Steps({ entries }: { readonly entries: readonly Entry[] }) {
  const hops = entries.filter(({ type }) => type === "hop").length;
  if (hops === 0) return null;
  return (
    <details className="steps" open>
      <summary>{hops === 1 ? "1 call to the bank" : `${hops} calls to the bank`}</summary>
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
    <li
      className={`step ${isHop ? entry.by : "model-call"} ${state}`}
      data-tool={isHop ? entry.tool : undefined}
      data-state={state}
    >
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

/** Milliseconds as a person reads them. */
export function toTime(ms: number): string {
  if (ms > 0 && ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
