import { useState } from "react";
import type { ConversationView, Mode } from "../src/conversation/conversation-view.ts";
import type { RelayMeasure } from "../src/web-server/protocol.ts";
import { measureRelay } from "./api.ts";
import { Button } from "./button.tsx";
import { toTime } from "./steps.tsx";

const MODE_NOTES: Readonly<Record<Mode, string>> = {
  "ai-sdk": "On the AI SDK, a call that follows from a result is a step of the run.",
  langgraph: "On LangGraph, a call that follows from a result is a turn of the graph.",
  guard: "In guard mode a question has one call, of a tool on the list above.",
};

interface MeterProps {
  readonly id: string;
  readonly model: string;
  readonly conversation: ConversationView;
}

type Measured = RelayMeasure & { readonly note: string; readonly of: string };

/** Shows the costs of the conversation, and on request those of the relay way. Both are measured. */
export function Meter({ id, model, conversation }: MeterProps) {
  const { mode, entries, answerMs } = conversation;
  const [measured, setMeasured] = useState<Measured>();
  const [isRunning, setIsRunning] = useState(false);
  const calls = entries.filter((one) => one.type === "model");
  const hops = entries.filter((one) => one.type === "hop");
  const asked = entries.filter((one) => one.type === "approval");
  const declined = asked.filter(({ state }) => state === "declined").length;
  const typed = entries.filter((one) => one.type === "user" && one.isTyped).length;
  // Later texts are not part of the measurement, since the two would not be comparable.
  const of = `${id} ${typed}`;
  const relay = measured?.of === of ? measured : undefined;

  async function run(): Promise<void> {
    setIsRunning(true);
    const said = typed === 1 ? "your sentence" : `your ${typed} typed sentences`;
    const note = `Measured just now: ${said} on plain MCP tools, on separate accounts.`;
    const measure = await measureRelay(id).catch(() => undefined);
    setMeasured(measure && { ...measure, note, of });
    setIsRunning(false);
  }

  const rows = [
    ["Model calls", calls.length, relay?.modelCalls],
    ["Tokens", calls.reduce((sum, { tokens = 0 }) => sum + tokens, 0), relay?.tokens],
    ["Time to answer", toTime(answerMs), relay && toTime(relay.ms)],
  ] as const;
  return (
    <section className="panel meter" aria-labelledby="meter-title">
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
        {hops.length === 1 ? "1 call" : `${hops.length} calls`} to the bank,{" "}
        {hops.filter((hop) => hop.by !== "model").length} without asking a model.
      </p>
      {asked.length > 0 && (
        <p className="quiet-text">
          {asked.length === 1 ? "1 call" : `${asked.length} calls`} waited for you
          {declined > 0 && `, ${declined} declined and never made`}.
        </p>
      )}
      <Button disabled={isRunning || typed === 0} onClick={() => void run()}>
        {isRunning ? "Running…" : "Run it the relay way"}
      </Button>
      <p className="quiet-text" role="status">
        {relay?.note ??
          "Says your sentences to plain MCP tools, where the model relays every step."}
      </p>
      <p className="quiet-text">
        {MODE_NOTES[mode]} Model: {model}.
      </p>
    </section>
  );
}
