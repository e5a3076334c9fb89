import type { ToolrailErrorCode } from "@toolrail/core";
import type { InferUIMessageChunk } from "ai";
import type { AgentTurn, PendingApproval } from "./agents/web-agent.ts";
import { toApprovalView } from "./approval-view.ts";
import { toFriendlyProblem } from "./friendly-problem.ts";
import type { BankMessage, TurnInput } from "./protocol.ts";
import type { ThreadBank } from "./thread-bank.ts";
import type { ThreadState } from "./thread-state.ts";
import type { TurnLog } from "./turn-log.ts";
import type { TurnRecorder } from "./turn-recorder.ts";

export type Send = (chunk: InferUIMessageChunk<BankMessage>) => void;

/** One thing that the customer did, and what came of it. */
export interface Turn {
  readonly input: TurnInput | { readonly type: "welcome" };
  readonly state: ThreadState;
  readonly bank: ThreadBank;
  readonly log: TurnLog;
  readonly recorder: TurnRecorder;
  readonly signal: AbortSignal;
  readonly send: Send;
  /** Told of what the customer is told in other words. */
  readonly onProblem: (problem: unknown) => void;
  /** Controls that the turn has put before the customer. */
  opened: number;
}

/** Tells the customer something that no tool said. */
export function inform({ log }: Turn, text: string): void {
  log.put("notice", crypto.randomUUID(), { kind: "info", text });
}

/** Explains a problem in a customer's words, with a way to try again where there is one. */
export function explain({ input, log }: Turn, code: ToolrailErrorCode | "model"): void {
  const text = toFriendlyProblem(code);
  const retry = input.type === "text" && { retryText: input.text };
  log.put("notice", crypto.randomUUID(), { kind: "problem", text, ...retry });
}

/** Puts calls before the customer that wait for an approval. */
export function askForApproval(turn: Turn, pending: readonly PendingApproval[]): void {
  for (const approval of pending) {
    const id = crypto.randomUUID();
    const view = toApprovalView(turn.bank.host(), approval.call);
    turn.log.put("approval", id, view);
    turn.state.approvals.add(turn.log.message, id, view, approval);
  }
}

/** Lets the agent talk, until it has nothing to add, and says what it could not. */
export async function converse(
  turn: Turn,
  talk: (agentTurn: AgentTurn) => Promise<readonly PendingApproval[]>,
): Promise<void> {
  const { recorder, signal } = turn;
  const isOver = () => turn.opened > 0 || recorder.failure() !== undefined;
  const pending = await talk({ output: recorder, signal, isOver });
  if (isOver()) recorder.showUnsaid();
  askForApproval(turn, pending);
  const failure = signal.aborted ? "aborted" : recorder.failure();
  if (failure) explain(turn, failure);
}
