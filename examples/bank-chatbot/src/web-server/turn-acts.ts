import { type ChainResult, modelView } from "@toolrail/core";
import { toTexts } from "../agents/turn-report.ts";
import { toApproval } from "./agents/chain-approval.ts";
import type { ApprovalView, ControlView } from "./protocol.ts";
import type { OpenBank } from "./thread-bank.ts";
import { askForApproval, converse, explain, inform, type Turn } from "./turn.ts";

/** Carries out what the customer did. Rejects where the bank or the model cannot be reached. */
export async function act(turn: Turn): Promise<void> {
  const { input, state } = turn;
  await state.refreshing;
  if (!state.isWelcomed) await welcome(turn);
  switch (input.type) {
    case "welcome":
      return;
    case "control":
      return answerControl(turn, input.id, input.value);
    case "approval":
      return decide(turn, input.id, input.approved);
    case "take-back":
      state.handoff = undefined;
      return inform(turn, "You are back with the assistant.");
    case "text":
      return say(turn, input.text);
  }
}

/** Calls the bank's welcome tool, once in a conversation. */
async function welcome(turn: Turn): Promise<void> {
  const { host, agent } = await turn.bank.open();
  const tool = host.tools.find(({ meta }) => meta?.welcomeTool === true);
  if (!tool) {
    turn.state.isWelcomed = true;
    return turn.log.text("Hello! How can I help you today?");
  }
  const chain = await host.run({ tool, arguments: {} }, { signal: turn.signal });
  turn.state.isWelcomed = chain.hops.length > 0;
  settle(turn, { host, agent }, tool.title ?? tool.name, chain);
}

async function say(turn: Turn, text: string): Promise<void> {
  const { state, bank } = turn;
  if (state.isEnded) return inform(turn, "This conversation has ended. Please start a new one.");
  if (state.handoff) {
    return inform(turn, "Your message waits for the agent, and no assistant reads it.");
  }
  const { agent } = await bank.open();
  for (const { id, item } of state.approvals.open()) {
    item.withdraw();
    markApproval(turn, id, "left");
  }
  state.sentences.push(text);
  await converse(turn, (agentTurn) => agent.say(text, agentTurn));
}

/** The control's tool is called without a model; the page names the control and a value, no more. */
async function answerControl(turn: Turn, id: string, value: string): Promise<void> {
  const found = turn.state.controls.find(id);
  const call = found?.item.toCall(value);
  if (!found || !call) return inform(turn, "This choice is no longer available.");
  if (found.view.state !== "open") {
    return inform(turn, `This has already been answered: ${found.view.answer}.`);
  }
  const { kind } = found.view;
  markControl(turn, id, { state: "busy", answer: call.label });
  let isAnswered = false;
  try {
    const opened = await turn.bank.open();
    const request = { tool: call.tool, arguments: call.arguments };
    const chain = await opened.host.run(request, { signal: turn.signal });
    isAnswered = isAnswer(chain, kind);
    settle(turn, opened, call.label, chain);
  } finally {
    markControl(turn, id, { state: isAnswered ? "answered" : "open" });
  }
}

/** A value that the bank refused may be corrected; a confirmation that it refused is over. */
function isAnswer({ ended, hops }: ChainResult, kind: ControlView["kind"]): boolean {
  const last = hops.at(-1);
  const isFinal = kind === "confirmation" || last?.result.isError !== true;
  return ended === "needs-approval" || (last !== undefined && isFinal);
}

async function decide(turn: Turn, id: string, approved: boolean): Promise<void> {
  const found = turn.state.approvals.find(id);
  if (found?.view.state !== "open") return inform(turn, "This has already been decided.");
  markApproval(turn, id, approved ? "approved" : "declined");
  await converse(turn, (agentTurn) => found.item.decide(approved, agentTurn));
}

/** Tells the agent what was done without it, and the customer why it is not done, if so. */
function settle(turn: Turn, { host, agent }: OpenBank, label: string, chain: ChainResult): void {
  agent.note(`I chose: ${label}`, toTexts(modelView(chain).content).join("\n"));
  if (chain.ended === "needs-approval") {
    askForApproval(turn, [toApproval(host, chain, agent.note)]);
  } else if (chain.error) {
    turn.onProblem(chain.error);
    explain(turn, chain.error.code);
  }
}

function markControl({ state, send }: Turn, id: string, change: Partial<ControlView>): void {
  const data = state.controls.update(id, change);
  if (data) send({ type: "data-control", id, data, transient: true });
}

function markApproval({ state, send }: Turn, id: string, change: ApprovalView["state"]): void {
  const data = state.approvals.update(id, { state: change });
  if (data) send({ type: "data-approval", id, data, transient: true });
}
