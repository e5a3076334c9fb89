import { useState } from "react";
import type { ConversationView } from "../src/conversation/conversation-view.ts";
import type { RelayMeasure } from "../src/web-server/web-server.ts";
import { type Chat, request } from "./conversation.ts";
import { toCalls, toTime } from "./messages.tsx";

/** The list of the operator, beside a conversation in guard mode. */
export function GuardList({ mayCall }: Pick<Required<ConversationView>, "mayCall">) {
  return (
    <section className="card" aria-labelledby="guard-title">
      <h2 id="guard-title">What a question may call</h2>
      <ul>
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

/** Shows the costs of the conversation, and on request those of the relay way. Both are measured. */
export function Meter({ id, conversation }: Chat) {
  const { mode, entries, answerMs } = conversation;
  const [measured, setMeasured] = useState<RelayMeasure & { readonly of: string }>();
  const [isRunning, setIsRunning] = useState(false);
  const calls = entries.filter((one) => one.type === "model");
  const hops = entries.filter((one) => one.type === "hop");
  const typed = entries.filter((one) => one.type === "user" && one.isTyped).length;
  // Later texts are not part of the measurement, since the two would not be comparable.
  const of = `${id} ${typed}`;
  const relay = measured?.of === of ? measured : undefined;

  async function run(): Promise<void> {
    setIsRunning(true);
    const measure = await request<RelayMeasure>(`/api/${id}/relay`, {}).catch(() => undefined);
    setMeasured(measure && { ...measure, of });
    setIsRunning(false);
  }

  const rows = [
    ["Model calls", calls.length, relay?.modelCalls],
    ["Tokens", calls.reduce((sum, { tokens = 0 }) => sum + tokens, 0), relay?.tokens],
    ["Time to answer", toTime(answerMs), relay && toTime(relay.ms)],
  ] as const;
  return (
    <section className="card" aria-labelledby="meter-title">
      <h2 id="meter-title">This conversation</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">{mode === "guard" ? "guarded" : "Toolrail"}</th>
            <th scope="col">relayed</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ours, relayed = "–"]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{ours.toLocaleString("en-US")}</td>
              <td>{relayed.toLocaleString("en-US")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet-text">
        {toCalls(hops.length)} to the bank, {hops.filter(({ by }) => by !== "model").length} without
        asking a model.
      </p>
      <button type="button" disabled={isRunning || typed === 0} onClick={() => void run()}>
        {isRunning ? "Running…" : "Run it the relay way"}
      </button>
      <p className="quiet-text" role="status">
        {relay
          ? "Measured just now: what you typed, on plain MCP tools and separate accounts."
          : "Says what you typed to plain MCP tools, where the model relays every step."}
      </p>
      <p className="quiet-text">Model: {conversation.model}.</p>
    </section>
  );
}
