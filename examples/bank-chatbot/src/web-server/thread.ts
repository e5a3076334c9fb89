import { ToolrailError, type ToolrailErrorCode } from "@toolrail/core";
import { fulfilWishes } from "./hop-wishes.ts";
import { createMeteredFetch } from "./metered-fetch.ts";
import type { Mode, ThreadView, TurnInput } from "./protocol.ts";
import { createThreadBank, type ThreadBankOptions } from "./thread-bank.ts";
import { createThreadState, type ThreadState, toStatus } from "./thread-state.ts";
import { explain, type Send, type Turn } from "./turn.ts";
import { act } from "./turn-acts.ts";
import { createTurnLog } from "./turn-log.ts";
import { createTurnRecorder } from "./turn-recorder.ts";

export interface ThreadOptions extends Omit<ThreadBankOptions, "onEvent" | "onHop" | "model"> {
  readonly id: string;
  readonly mode: Mode;
  readonly model: Omit<ThreadBankOptions["model"], "fetch">;
  readonly onProblem?: (problem: unknown) => void;
}

/** One conversation: its own host, its own list of tools, one turn at a time. */
export interface Thread {
  readonly id: string;
  /** Waits for the turn that is under way, so that a page which reloads sees its end. */
  view(): Promise<ThreadView>;
  /** Carries out what the customer did, once for each `messageId`. The turn goes on unheard. */
  take(messageId: string, input: TurnInput, send: Send): Promise<void>;
  /** What the customer has typed, in order. */
  sentences(): readonly string[];
  stop(): void;
  close(): Promise<void>;
}

/** How long the end of a turn waits for a list of tools that the bank has changed. */
const REFRESH_MS = 1_000;

/** Starts a conversation with the bank's welcome. */
export function createThread(options: ThreadOptions): Thread {
  const { id, mode, model, onProblem = () => {}, ...bankOptions } = options;
  const state = createThreadState();
  const known = new Set<string>();
  let turn: (Turn & { readonly stop: () => void }) | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const fetch = createMeteredFetch((call) => {
    if (call.state !== "running") state.usage.modelCalls += 1;
    state.usage.tokens += call.tokens ?? 0;
    turn?.recorder.onModelCall(call);
  });
  const bank = createThreadBank({
    ...bankOptions,
    model: { ...model, fetch },
    onEvent: (event) => turn?.recorder.onEvent(event),
    onHop(hop) {
      state.hops.total += 1;
      if (hop.origin.by !== "model") state.hops.withoutModel += 1;
      if (!turn) return;
      turn.recorder.onHop(hop);
      fulfilWishes(turn, id, hop);
    },
  });

  function start(input: Turn["input"], send: Send) {
    const stopper = new AbortController();
    const log = createTurnLog(send);
    const asker = input.type === "welcome" ? "application" : "customer";
    const isDirect = input.type === "welcome" || input.type === "control";
    const recorder = createTurnRecorder({ log, host: bank.host, asker, isDirect });
    return {
      ...{ input, state, bank, log, recorder, send, onProblem, opened: 0 },
      ...{ signal: stopper.signal, stop: () => stopper.abort() },
    };
  }

  async function play(input: Turn["input"], send: Send): Promise<void> {
    const startMs = performance.now();
    turn = start(input, send);
    const { log } = turn;
    state.messages.push(log.message);
    send({ type: "start", messageId: log.message.id });
    try {
      await act(turn);
    } catch (error) {
      if (!turn.signal.aborted) onProblem(error);
      explain(turn, turn.signal.aborted ? "aborted" : codeOf(error));
    }
    log.endText();
    const asksModel = input.type === "text" || input.type === "approval";
    if (asksModel) state.usage.ms += performance.now() - startMs;
    turn = undefined;
    await Promise.race([state.refreshing, pause(REFRESH_MS)]);
    send({ type: "data-status", data: toStatus(state, bank.host()), transient: true });
    send({ type: "finish" });
  }

  /** One after the other: two tabs can't act at the same time. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    const next = queue.then(work);
    queue = next.catch(() => {});
    return next;
  }

  void enqueue(() => play({ type: "welcome" }, () => {}));

  return {
    id,
    async view() {
      await queue;
      return { id, mode, messages: state.messages, status: toStatus(state, bank.host()) };
    },
    async take(messageId, input, send) {
      if (known.has(messageId)) return;
      known.add(messageId);
      await enqueue(async () => {
        const text = labelOf(input, state);
        state.messages.push({ id: messageId, role: "user", parts: [{ type: "text", text }] });
        await play(input, send);
      });
    },
    sentences: () => state.sentences,
    stop: () => turn?.stop(),
    async close() {
      turn?.stop();
      await bank.close();
    },
  };
}

/** What the customer did, in words: as the page writes it too. */
function labelOf(input: TurnInput, { controls }: ThreadState): string {
  switch (input.type) {
    case "text":
      return input.text;
    case "control":
      return controls.find(input.id)?.item.toCall(input.value)?.label ?? "A choice";
    case "approval":
      return input.approved ? "Approve" : "Decline";
    case "take-back":
      return "Back to the assistant";
  }
}

function codeOf(error: unknown): ToolrailErrorCode | "model" {
  return ToolrailError.isInstance(error) ? error.code : "model";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
