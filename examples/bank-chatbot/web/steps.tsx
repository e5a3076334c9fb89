import type { BankMessage, HopView, ModelCallView } from "../src/web-server/protocol.ts";
import { toTime } from "./to-time.ts";

const ASKED_BY: Readonly<Record<HopView["by"], string>> = {
  model: "asked for by the assistant",
  chain: "followed at once, no model asked",
  customer: "your choice, no model asked",
  application: "by this page, no model asked",
};

const STATES: Readonly<Record<HopView["state"], string>> = {
  running: "running",
  done: "done",
  error: "failed",
  refused: "not allowed",
};

/** Every call of an answer, with its state and its time. */
export function Steps({ parts }: { readonly parts: BankMessage["parts"] }) {
  const steps = parts.flatMap((part) =>
    part.type === "data-hop" || part.type === "data-model" ? part : [],
  );
  const hops = steps.filter(({ type }) => type === "data-hop").length;
  if (hops === 0) return null;
  return (
    <details className="steps" open>
      <summary>{hops === 1 ? "1 call to the bank" : `${hops} calls to the bank`}</summary>
      <ol>
        {steps.map((step) =>
          step.type === "data-hop" ? (
            <HopStep key={step.id} hop={step.data} />
          ) : (
            <ModelStep key={step.id} call={step.data} />
          ),
        )}
      </ol>
    </details>
  );
}

function HopStep({ hop }: { readonly hop: HopView }) {
  const { tool, title, by, state, durationMs } = hop;
  return (
    <li className={`step hop ${by} ${state}`} data-tool={tool} data-state={state}>
      <span className="step-mark" aria-hidden="true" />
      <span className="step-name">{title}</span>
      <span className="step-by">{ASKED_BY[by]}</span>
      <span className="step-time">
        <span className="visually-hidden">{STATES[state]}, </span>
        {durationMs === undefined ? "…" : toTime(durationMs)}
      </span>
    </li>
  );
}

function ModelStep({ call }: { readonly call: ModelCallView }) {
  const { state, durationMs, tokens } = call;
  return (
    <li className={`step model-call ${state}`}>
      <span className="step-mark" aria-hidden="true" />
      <span className="step-name">Model</span>
      <span className="step-by">
        {tokens === undefined ? "thinks" : `${tokens.toLocaleString("en-US")} tokens`}
      </span>
      <span className="step-time">{durationMs === undefined ? "…" : toTime(durationMs)}</span>
    </li>
  );
}
