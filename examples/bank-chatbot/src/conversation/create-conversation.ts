import { isDeepStrictEqual } from "node:util";
import {
  type Hop,
  type Host,
  type HostEvent,
  modelView,
  type Tool,
  ToolrailError,
  userView,
} from "@toolrail/core";
import type { AgentTurn, PendingApproval } from "../agents/bank-agent.ts";
import { GUARD_LIST } from "../agents/guard-list.ts";
import { createMeteredFetch } from "../agents/metered-fetch.ts";
import { type Control, type ControlCall, toControl } from "./control.ts";
import type { TurnInput } from "./conversation-view.ts";
import { createLog, type Log } from "./create-log.ts";
import { type BankOptions, openBank } from "./open-bank.ts";
import { openQuestion } from "./open-question.ts";
import { readAccountNames } from "./read-account-names.ts";
import { toApprovalView } from "./to-approval-view.ts";
import { toGuardText } from "./to-guard-text.ts";
import { toHopEntry } from "./to-hop-entry.ts";
import { toTexts } from "./to-texts.ts";

export interface ConversationOptions
  extends Omit<BankOptions, "fetch" | "onEvent" | "onHop" | "onOutcome"> {
  readonly onHop?: (hop: Hop) => void;
  /** Receives the errors that the customer reads in other words. */
  readonly onProblem?: (problem: unknown) => void;
}

/** Opens a customer's conversation with the bank. It has a separate session, and takes one turn at a time. */
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
  let asker: "customer" | "application" = "application";
  /** The application looks something up for itself: that is not part of the conversation. */
  let looksUp = false;
  let approved: Approved | undefined;
  let queue: Promise<void> = Promise.resolve();

  /** Shows the content for the customer, except what a model will relay. */
  function onHop(hop: Hop, host: Host): void {
    if (looksUp) return;
    options.onHop?.(hop);
    // A call that the customer has approved unchanged needs no second confirmation.
    const isTransfer = hop.tool === "prepare_money_transfer" && isApproved(hop, host);
    const asked = isTransfer ? toControl(host, hop) : undefined;
    if (approved && asked?.view.kind === "confirmation") {
      approved.confirmation = asked.toCall("confirm");
      return;
    }
    const { content, verbatim } = userView(hop);
    for (const text of toTexts(asksModel ? verbatim : content)) log.add({ type: "shown", text });
    const control = toControl(host, hop);
    if (!control) return;
    controls.set(log.add({ type: "control", state: "open", ...control.view }), control);
  }

  function onEvent(event: HostEvent, host: Host): void {
    const entry = looksUp ? undefined : toHopEntry(event, { host, asker });
    if (entry) log.put(entry);
    if (event.type === "tools-changed") checkSignIn(host);
  }

  function checkSignIn(host: Host): void {
    const isSignedIn = host.tools.some(({ name }) => name === "list_accounts");
    log.change({ isSignedIn, ...(mode === "guard" && { mayCall: toMayCall(host.tools) }) });
  }

  /** Returns true if the customer has just approved this call, with the same arguments. */
  function isApproved({ server, tool, arguments: args }: Hop, host: Host): boolean {
    if (!approved) return false;
    const { toolName, arguments: seen } = approved.approval;
    const called = host.find({ server, name: tool }).modelName;
    return called === toolName && isDeepStrictEqual(args, seen);
  }

  async function act(input: TurnInput | undefined): Promise<void> {
    opening ??= openBank({
      ...{ ...options, fetch: meter.fetch, onEvent, onHop },
      onOutcome(outcome, { tools }) {
        const text = toGuardText(outcome, tools);
        if (text) log.add({ type: "guard", text });
      },
    });
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
    asker = "customer";
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

  /** Calls the control's tool, which needs no model, and informs the agent. */
  async function choose({ id, value }: TurnInput & { type: "control" }): Promise<void> {
    const entry = log.find("control", id);
    const call = controls.get(id)?.toCall(value);
    if (entry?.state !== "open" || !call || !opening) return;
    log.add({ type: "user", text: call.label, isTyped: false });
    const { chain, last } = await press(call, await opening);
    // The customer may correct a value that the bank refused. A confirmation that it refused is over.
    const isRefused = last?.result.isError === true && entry.kind !== "confirmation";
    if (last && !isRefused) log.put({ ...entry, state: "answered" });
    if (chain.error) throw chain.error;
  }

  /** Makes the call of a button, and informs the agent. */
  async function press(call: ControlCall, { host, agent }: Awaited<ReturnType<typeof openBank>>) {
    const chain = await host.run({ tool: call.tool, arguments: call.arguments });
    agent.note(`I chose: ${call.label}`, toTexts(modelView(chain).content).join("\n"));
    return { chain, last: chain.hops.at(-1) };
  }

  /** Carries out the customer's decision. An approved transfer is confirmed with it: the customer is asked once. */
  async function decide({ id, approved: isYes }: TurnInput & { type: "approval" }): Promise<void> {
    const entry = log.find("approval", id);
    const approval = approvals.get(id);
    if (entry?.state !== "open" || !approval) return;
    log.put({ ...entry, state: isYes ? "approved" : "declined" });
    log.add({ type: "user", text: isYes ? "Approve" : "Decline", isTyped: false });
    const decided: Approved = { approval, confirmation: undefined };
    if (isYes) approved = decided;
    await talk((turn) => approval.decide(isYes, turn)).finally(() => {
      approved = undefined;
    });
    if (!decided.confirmation || !opening) return;
    const { chain } = await press(decided.confirmation, await opening);
    if (chain.error) throw chain.error;
  }

  /** Lets the agent talk until it has nothing to add, and asks for the approvals it needs. */
  async function talk(
    speak: (turn: AgentTurn) => Promise<readonly PendingApproval[]>,
  ): Promise<void> {
    const startMs = performance.now();
    asksModel = true;
    try {
      const pending = await speak({ onText: log.words, signal: closing.signal });
      if (pending.length > 0) await ask(pending);
      await meter.settled();
    } finally {
      asksModel = false;
      log.change({ answerMs: log.view().answerMs + performance.now() - startMs });
    }
  }

  /** Shows each call that waits, with the names that the customer gives to their accounts. */
  async function ask(pending: readonly PendingApproval[]): Promise<void> {
    const { host } = (await opening) ?? {};
    if (!host) return;
    looksUp = true;
    const accountNames = await readAccountNames(host).finally(() => {
      looksUp = false;
    });
    for (const approval of pending) {
      const view = toApprovalView(approval, { tools: host.tools, accountNames });
      approvals.set(log.add({ type: "approval", ...view }), approval);
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

/** A call that the customer has approved, and the confirmation that its result asks for. */
interface Approved {
  readonly approval: PendingApproval;
  confirmation: ControlCall | undefined;
}

/** The tools on the guard's list that the bank has now. */
function toMayCall(tools: readonly Tool[]) {
  return Object.entries(GUARD_LIST).flatMap(([id, entry]) => {
    const tool = tools.find((one) => one.id === id);
    return tool ? { title: tool.title ?? tool.name, asks: entry === "ask" } : [];
  });
}

/** Details are for the log, not for the customer. */
function toFriendlyText(error: unknown): string {
  return ToolrailError.isInstance(error) && error.code === "invalid-arguments"
    ? "The bank cannot accept this value. Please check it and try again."
    : "Something went wrong on our side. Please try again, or start a new conversation.";
}
