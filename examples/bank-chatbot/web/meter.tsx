import { useState } from "react";
import type {
  AppView,
  BankMessage,
  Mode,
  RelayMeasure,
  StatusView,
} from "../src/web-server/protocol.ts";
import { measureRelay } from "./api.ts";
import { toTime } from "./to-time.ts";

const MODE_NOTES: Readonly<Record<Mode, string>> = {
  "ai-sdk": "On the AI SDK, each hop is a step of the run.",
  langgraph: "On LangGraph, each hop is a turn of the graph.",
  guard: "In guard mode a question has one call, from the operator's list.",
};

interface MeterProps {
  readonly mode: Mode;
  readonly app: AppView;
  readonly threadId: string;
  readonly status: StatusView;
  readonly messages: readonly BankMessage[];
}

/** What the conversation has cost, and on request what the relay way costs: both are measured. */
export function Meter({ app, mode, threadId, status, messages }: MeterProps) {
  const [measure, setMeasure] = useState<RelayMeasure>();
  const [measuredAt, setMeasuredAt] = useState(0);
  const [state, setState] = useState<"idle" | "running" | "failed">("idle");
  const { usage, hops } = useLiveUsage(status, messages);

  async function run(): Promise<void> {
    setState("running");
    try {
      setMeasuredAt(usage.modelCalls);
      setMeasure(await measureRelay(threadId));
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  // What has been said since is not part of it: then the two would not be comparable.
  const isStale = measure !== undefined && measuredAt !== usage.modelCalls;
  const relay = isStale ? undefined : measure?.relay;
  return (
    <section className="panel meter" aria-labelledby="meter-title">
      <h2 id="meter-title">This conversation</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">on rails</th>
            <th scope="col">relayed</th>
          </tr>
        </thead>
        <tbody>
          <Row name="Model calls" rails={usage.modelCalls} relay={relay?.modelCalls} />
          <Row name="Tokens" rails={usage.tokens} relay={relay?.tokens} />
          <Row name="Time to answer" rails={usage.ms} relay={relay?.ms} format={toTime} />
        </tbody>
      </table>
      <p className="quiet-text">
        {hops.total === 1 ? "1 call" : `${hops.total} calls`} to the bank, {hops.withoutModel} of
        them without asking a model.
      </p>
      {app.canMeasureRelay && (
        <>
          <button
            type="button"
            className="button"
            disabled={state === "running" || usage.modelCalls === 0}
            onClick={() => void run()}
          >
            {state === "running" ? "Running…" : "Run it the relay way"}
          </button>
          <p className="quiet-text" role="status">
            {state === "failed"
              ? "The relay way could not be run. Please try again."
              : toNote(measure, isStale)}
          </p>
        </>
      )}
      <p className="quiet-text">
        {MODE_NOTES[mode]} Model: {app.model}.
      </p>
    </section>
  );
}

function toNote(measure: RelayMeasure | undefined, isStale: boolean): string {
  if (!measure) return "Says your sentences to plain MCP tools, where the model relays every step.";
  if (isStale) return "The model has been asked more since it was measured: run it again.";
  const { sentences } = measure;
  const said = sentences === 1 ? "your sentence" : `your ${sentences} typed sentences`;
  return `Measured just now: ${said} on plain MCP tools, on separate books.`;
}

interface RowProps {
  readonly name: string;
  readonly rails: number;
  readonly relay: number | undefined;
  readonly format?: (value: number) => string;
}

function Row({ name, rails, relay, format = (value) => value.toLocaleString("en-US") }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{format(rails)}</td>
      <td>{relay === undefined ? "–" : format(relay)}</td>
    </tr>
  );
}

/** The server's figures after each turn; while one runs, what its steps have shown so far. */
function useLiveUsage({ usage, hops }: StatusView, messages: readonly BankMessage[]) {
  const parts = messages.flatMap((message) => message.parts);
  const calls = parts.flatMap((part) => (part.type === "data-model" ? part.data : []));
  const made = parts.flatMap((part) =>
    part.type === "data-hop" && part.data.state !== "refused" ? part.data : [],
  );
  return {
    usage: {
      modelCalls: Math.max(usage.modelCalls, calls.length),
      tokens: Math.max(
        usage.tokens,
        calls.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
      ),
      ms: usage.ms,
    },
    hops: {
      total: Math.max(hops.total, made.length),
      withoutModel: Math.max(hops.withoutModel, made.filter(({ by }) => by !== "model").length),
    },
  };
}
