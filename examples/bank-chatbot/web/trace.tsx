import { useEffect, useRef } from "react";
import type { BankMessage } from "../src/web-server/protocol.ts";
import { type Lane, type TraceRow, toTraceRows, toTraceText } from "./trace-rows.ts";

const X: Readonly<Record<Lane, number>> = { you: 24, model: 112, bank: 304 };
const WIDTH = 336;
const ROW = 36;
const TOP = 14;

/** What scrolls must be reachable with the keyboard, and not every browser sees to it. */
const BY_KEYBOARD = { tabIndex: 0 };

/** The calls as a picture: what went through the model, and what went past it. */
export function Trace({ messages }: { readonly messages: readonly BankMessage[] }) {
  const rows = toTraceRows(messages);
  const height = TOP + rows.length * ROW + 12;
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (rows.length > 0) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [rows.length]);
  return (
    <section className="panel trace" aria-labelledby="trace-title">
      <h2 id="trace-title">Trace</h2>
      <ul className="lanes" aria-hidden="true">
        <li>You</li>
        <li>Model</li>
        <li>Bank</li>
      </ul>
      <section
        className="trace-scroll"
        ref={scroller}
        aria-label="Trace of the calls"
        {...BY_KEYBOARD}
      >
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          role="img"
          aria-label={toTraceText(rows) || "empty"}
        >
          <defs>
            <Arrow id="arrow" />
            <Arrow id="arrow-chain" />
            <Arrow id="arrow-shown" />
          </defs>
          {(["you", "model", "bank"] as const).map((lane) => (
            <line key={lane} className="lane" x1={X[lane]} x2={X[lane]} y1={0} y2={height} />
          ))}
          {rows.map((row, index) => (
            <Row key={row.id} row={row} y={TOP + index * ROW + 18} />
          ))}
        </svg>
      </section>
      <p className="quiet-text legend">
        <span className="key chain" /> followed without a model <span className="key shown" /> past
        the model
      </p>
    </section>
  );
}

function Arrow({ id }: { readonly id: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="5"
      markerHeight="5"
      orient="auto"
    >
      <path className={id} d="M0 0.5 8 4 0 7.5z" />
    </marker>
  );
}

function Row({ row, y }: { readonly row: TraceRow; readonly y: number }) {
  const { from, to, kind, label } = row;
  const marker = kind === "chain" ? "arrow-chain" : kind === "shown" ? "arrow-shown" : "arrow";
  if (from === to) {
    const x = X[from];
    return (
      <g className={`row ${kind}`}>
        <path d={`M${x} ${y - 22} h14 q8 0 8 8 v8 q0 8 -8 8 h-8`} markerEnd={`url(#${marker})`} />
        <text x={x - 8} y={y + 3} textAnchor="end">
          {label}
        </text>
      </g>
    );
  }
  const isBack = X[from] > X[to];
  const gap = isBack ? -5 : 5;
  const middle = (X[from] + X[to]) / 2;
  return (
    <g className={`row ${kind}`}>
      <line x1={X[from]} x2={X[to] - gap} y1={y} y2={y} markerEnd={`url(#${marker})`} />
      <text x={middle} y={y - 6} textAnchor="middle">
        {label}
      </text>
    </g>
  );
}
