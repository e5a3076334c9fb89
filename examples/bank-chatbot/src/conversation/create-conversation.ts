import {
  type Hop,
  type Host,
  type HostEvent,
  modelView,
  ToolrailError,
  userView,
} from "@toolrail/core";
import type { AgentTurn, PendingApproval } from "../agents/bank-agent.ts";
import { createMeteredFetch } from "../agents/metered-fetch.ts";
import { type Control, toControl } from "./control.ts";
import type { TurnInput } from "./conversation-view.ts";
import { createLog, type Log } from "./create-log.ts";
import { type BankOptions, openBank } from "./open-bank.ts";
import { openQuestion } from "./open-question.ts";
import { toApprovalView } from "./to-approval-view.ts";
import { toHopEntry } from "./to-hop-entry.ts";
import { toTexts } from "./to-texts.ts";

export interface ConversationOptions extends Omit<BankOptions, "fetch" | "onEvent" | "onHop"> {
  readonly onHop?: (hop: Hop) => void;
  /** Told of what the customer is told in other words. */
  readonly onProblem?: (problem: unknown) => void;
}

/** A customer's conversation with the bank: a session of its own, and one turn at a time. */
export interface Conversation extends Pick<Log, "view" | "watch"> {
  /** Carries out what the customer did, whether or not anybody watches. Never rejects. */
  take(input: TurnInput): Promise<void>;
  /** Breaks off the turn under way. */
  close(): Promise<void>;
}

/** Starts with the bank's welcome. The same for the terminal and for the page. */
export function createConversation(options: ConversationOptions): Conversation {
  const { mode, onProblem = () => {} } = options;
  const log = createLog(mode);
  const controls = new Map<string, Control>();
  const approvals = new Map<string, PendingApproval>();
  const closing = new AbortController();
  const meter = createMeteredFetch((call) => log.put({ type: "model", ...call }));
  let opening: ReturnType<typeof openBank> | undefined;
  let isWelcomed = false;
  let asksModel = false;
  let queue: Promise<void> = Promise.resolve();

  /** Shows what is for the customer, but for what a model will relay. */
  function onHop(hop: Hop, host: Host): void {
    options.onHop?.(hop);
    const { content, verbatim } = userView(hop);
    for (const text of toTexts(asksModel ? verbatim : content)) log.add({ type: "shown", text });
    const control = toControl(host, hop);
    if (!control) return;
    controls.set(log.add({ type: "control", state: "open", ...control.view }), control);
  }

  function onEvent(event: HostEvent, host: Host): void {
    const entry = toHopEntry(event, { host, asker: isWelcomed ? "customer" : "application" });
    if (entry) log.put(entry);
    if (event.type === "tools-changed") checkSignIn(host);
  }

  function checkSignIn(host: Host): void {
    log.change({ isSignedIn: host.tools.some(({ name }) => name === "list_accounts") });
  }

  async function act(input: TurnInput | undefined): Promise<void> {
    opening ??= openBank({ ...options, fetch: meter.fetch, onEvent, onHop });
    opening.catch(() => {
      opening = undefined;
    });
    const { host, agent } = await opening;
    checkSignIn(host);
    if (!isWelcomed && host.tools.some(({ name }) => name === "welcome_customer")) {
      const { error } = await host.run({ tool: "bank.welcome_customer", arguments: {} });
      if (error) throw error;
    }
    isWelcomed = true;
    if (input?.type === "control") return choose(input);
    if (input?.type === "approval") return decide(input);
    if (input?.type !== "text") return;
    if (openQuestion(log.view())?.type === "approval") {
      log.add({ type: "notice", text: "Please approve or decline first." });
      return;
    }
    log.add({ type: "user", text: input.text, isTyped: true });
    await talk((turn) => agent.say(input.text, turn));
  }

  /** Calls the control's tool, which needs no model, and tells the agent. */
  async function choose({ id, value }: TurnInput & { type: "control" }): Promise<void> {
    const entry = log.find("control", id);
    const call = controls.get(id)?.toCall(value);
    if (entry?.state !== "open" || !call || !opening) return;
    log.add({ type: "user", text: call.label, isTyped: false });
    const { host, agent } = await opening;
    const chain = await host.run({ tool: call.tool, arguments: call.arguments });
    agent.note(`I chose: ${call.label}`, toTexts(modelView(chain).content).join("\n"));
    const last = chain.hops.at(-1);
    // A value that the bank refused may be corrected; a confirmation that it refused is over.
    const isRefused = last?.result.isError === true && entry.kind !== "confirmation";
    if (last && !isRefused) log.put({ ...entry, state: "answered" });
    if (chain.error) throw chain.error;
  }

  async function decide({ id, approved }: TurnInput & { type: "approval" }): Promise<void> {
    const entry = log.find("approval", id);
    const approval = approvals.get(id);
    if (entry?.state !== "open" || !approval) return;
    log.put({ ...entry, state: approved ? "approved" : "declined" });
    log.add({ type: "user", text: approved ? "Approve" : "Decline", isTyped: false });
    await talk((turn) => approval.decide(approved, turn));
  }

  /** Lets the agent talk until it has nothing to add, and asks for the approvals it needs. */
  async function talk(
    speak: (turn: AgentTurn) => Promise<readonly PendingApproval[]>,
  ): Promise<void> {
    const startMs = performance.now();
    asksModel = true;
    try {
      const pending = await speak({ onText: log.words, signal: closing.signal });
      const { tools = [] } = (await opening)?.host ?? {};
      for (const approval of pending) {
        const tool = tools.find(({ modelName }) => modelName === approval.toolName);
        approvals.set(log.add({ type: "approval", ...toApprovalView(approval, tool) }), approval);
      }
      await meter.settled();
    } finally {
      asksModel = false;
      log.change({ answerMs: log.view().answerMs + performance.now() - startMs });
    }
  }

  /** One after the other: two tabs can't act at the same time. */
  function take(input?: TurnInput): Promise<void> {
    queue = queue.then(async () => {
      log.change({ isBusy: true });
      await act(input).catch((error: unknown) => {
        onProblem(error);
        log.add({ type: "notice", text: toFriendlyText(error) });
      });
      log.change({ isBusy: false });
    });
    return queue;
  }

  void take();
  return {
    ...{ view: log.view, watch: log.watch, take },
    async close() {
      closing.abort();
      await opening?.then(({ host }) => host.close()).catch(() => {});
    },
  };
}

/** Details are for the log, not for the customer. */
function toFriendlyText(error: unknown): string {
  return ToolrailError.isInstance(error) && error.code === "invalid-arguments"
    ? "The bank cannot accept this value. Please check it and try again."
    : "Something went wrong on our side. Please try again, or start a new conversation.";
}
