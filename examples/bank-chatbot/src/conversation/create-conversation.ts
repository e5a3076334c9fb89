import { isDeepStrictEqual } from "node:util";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ContentBlock,
  createHost,
  type Hop,
  type Host,
  type HostEvent,
  type HostOptions,
  modelView,
  type Tool,
  ToolrailError,
  userView,
} from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import { z } from "zod";
import {
  type AgentTurn,
  askBeforeLargeTransfers,
  type BankAgent,
  GUARD_LIST,
  type PendingApproval,
} from "../agents/agent.ts";
import { createAiSdkAgent } from "../agents/ai-sdk-agent.ts";
import { createLangGraphAgent } from "../agents/langgraph-agent.ts";
import { CUSTOMER } from "../bank/meta.ts";
import { createMeteredFetch, type ModelEndpoint } from "../model.ts";
import { type Control, type ControlCall, toControl } from "./control.ts";
import {
  createLog,
  type EntryOf,
  type Log,
  type Mode,
  openQuestion,
  type TurnInput,
} from "./conversation-view.ts";
import { toApprovalView, toGuardText, toHopEntry } from "./entries.ts";

export interface ConversationOptions {
  readonly mode: Mode;
  readonly endpoint: ModelEndpoint;
  /** Opens a session with the bank. */
  readonly connect: () => Promise<Client>;
  /** Default: large transfers that a model prepares need the customer's word. */
  readonly authorize?: HostOptions["authorize"];
  readonly onHop?: (hop: Hop) => void;
  /** Receives the errors that the customer reads in other words. */
  readonly onProblem?: (problem: unknown) => void;
}

/** A customer's conversation with the bank. It has a separate session, and takes one turn at a time. */
export interface Conversation extends Pick<Log, "view" | "watch"> {
  /** Carries out what the customer did, whether or not anybody watches. Never rejects. */
  take(input: TurnInput): Promise<void>;
  /** Breaks off the turn under way. */
  close(): Promise<void>;
}

/** Starts with the bank's welcome. The same for the terminal and for the page. */
export function createConversation(options: ConversationOptions): Conversation {
  const { mode, endpoint, authorize = askBeforeLargeTransfers } = options;
  const log = createLog(mode);
  const controls = new Map<string, Control>();
  const approvals = new Map<string, PendingApproval>();
  const closing = new AbortController();
  const meter = createMeteredFetch((call) => log.put({ type: "model", ...call }));
  let opening: ReturnType<typeof open> | undefined;
  let isWelcomed = false;
  let asksModel = false;
  let approved: Approved | undefined;
  let queue: Promise<void> = Promise.resolve();

  /** Opens a host with a separate session at the bank, and the agent of the mode on it. */
  async function open() {
    const client = await options.connect();
    const host: Host = await createHost({
      servers: { bank: client },
      authorize,
      onEvent: (event) => onEvent(event, host),
      use: [
        { name: "customer", requestMeta: () => CUSTOMER, onHop: ({ hop }) => onHop(hop, host) },
      ],
    });
    const parts = { host, model: { ...endpoint, fetch: meter.fetch } };
    if (mode === "langgraph") return { client, host, agent: createLangGraphAgent(parts) };
    const guard = {
      onOutcome(outcome: GuardOutcome) {
        const text = toGuardText(outcome, host.tools);
        if (text) log.add({ type: "guard", text });
      },
    };
    const agent = createAiSdkAgent(parts, mode === "guard" ? guard : undefined);
    return { client, host, agent };
  }

  /** Shows the content for the customer, except what a model will relay. */
  function onHop(hop: Hop, host: Host): void {
    options.onHop?.(hop);
    const control = toControl(host, hop);
    // A transfer that the customer has approved unchanged needs no second confirmation.
    if (approved && control?.view.kind === "confirmation" && isApproved(hop, host)) {
      approved.confirmation = control.toCall("confirm");
      return;
    }
    const { content, verbatim } = userView(hop);
    for (const text of toTexts(asksModel ? verbatim : content)) log.add({ type: "shown", text });
    if (control)
      controls.set(log.add({ type: "control", state: "open", ...control.view }), control);
  }

  function isApproved({ server, tool, arguments: args }: Hop, host: Host): boolean {
    const { toolName, arguments: seen } = approved?.approval ?? {};
    const { modelName } = host.find({ server, name: tool });
    return (
      tool === "prepare_money_transfer" && modelName === toolName && isDeepStrictEqual(args, seen)
    );
  }

  function onEvent(event: HostEvent, { tools }: Host): void {
    const asker = isWelcomed ? "customer" : "application";
    const entry = toHopEntry(event, { tools, asker });
    if (entry) log.put(entry);
    if (event.type === "tools-changed") showTools(tools);
  }

  function showTools(tools: readonly Tool[]): void {
    const isSignedIn = tools.some(({ name }) => name === "list_accounts");
    const mayCall = Object.entries(GUARD_LIST).flatMap(([id, entry]) => {
      const tool = tools.find((one) => one.id === id);
      return tool ? { title: tool.title ?? tool.name, asks: entry === "ask" } : [];
    });
    log.change({ isSignedIn, ...(mode === "guard" && { mayCall }) });
  }

  async function act(input: TurnInput | undefined): Promise<void> {
    opening ??= open();
    opening.catch(() => {
      opening = undefined;
    });
    const bank = await opening;
    const { host, agent } = bank;
    showTools(host.tools);
    if (!isWelcomed && host.tools.some(({ name }) => name === "welcome_customer")) {
      const { error } = await host.run({ tool: "bank.welcome_customer", arguments: {} });
      if (error) throw error;
    }
    isWelcomed = true;
    if (input?.type === "control") return choose(input, bank);
    if (input?.type === "approval") return decide(input, bank);
    if (!input) return;
    if (openQuestion(log.view())?.type === "approval") {
      log.add({ type: "notice", text: "Please approve or decline first." });
      return;
    }
    log.add({ type: "user", text: input.text, isTyped: true });
    await talk((turn) => agent.say(input.text, turn), bank);
  }

  function findEntry<Type extends "control" | "approval">(type: Type, id: string) {
    return log
      .view()
      .entries.find((one): one is EntryOf<Type> => one.type === type && one.id === id);
  }

  /** Calls the control's tool, which needs no model, and informs the agent. */
  async function choose({ id, value }: TurnInput & { type: "control" }, bank: Bank): Promise<void> {
    const entry = findEntry("control", id);
    const call = controls.get(id)?.toCall(value);
    if (entry?.state !== "open" || !call) return;
    log.add({ type: "user", text: call.label, isTyped: false });
    const { hops, error } = await press(call, bank);
    const last = hops.at(-1);
    // The customer may correct a value that the bank refused. A confirmation that it refused is over.
    const isRefused = last?.result.isError === true && entry.kind !== "confirmation";
    if (last && !isRefused) log.put({ ...entry, state: "answered" });
    if (error) throw error;
  }

  /** Makes the call of a button, and informs the agent. */
  async function press(call: ControlCall, { host, agent }: Bank) {
    const chain = await host.run({ tool: call.tool, arguments: call.arguments });
    agent.note(`I chose: ${call.label}`, toTexts(modelView(chain).content).join("\n"));
    return chain;
  }

  /** Carries out the customer's decision. An approved transfer is confirmed with it: the customer is asked once. */
  async function decide(input: TurnInput & { type: "approval" }, bank: Bank): Promise<void> {
    const { id, approved: isYes } = input;
    const entry = findEntry("approval", id);
    const approval = approvals.get(id);
    if (entry?.state !== "open" || !approval) return;
    log.put({ ...entry, state: isYes ? "approved" : "declined" });
    log.add({ type: "user", text: isYes ? "Approve" : "Decline", isTyped: false });
    const decided: Approved = { approval, confirmation: undefined };
    if (isYes) approved = decided;
    await talk((turn) => approval.decide(isYes, turn), bank).finally(() => {
      approved = undefined;
    });
    if (!decided.confirmation) return;
    const { error } = await press(decided.confirmation, bank);
    if (error) throw error;
  }

  /** Lets the agent talk until it has nothing to add, and asks for the approvals it needs. */
  async function talk(
    speak: (turn: AgentTurn) => Promise<readonly PendingApproval[]>,
    { client, host: { tools } }: Bank,
  ): Promise<void> {
    const startMs = performance.now();
    asksModel = true;
    try {
      const pending = await speak({ onText: log.words, signal: closing.signal });
      const accounts = pending.length > 0 ? await readAccountNames(client) : new Map();
      for (const approval of pending) {
        const view = toApprovalView(approval, { tools, accounts });
        approvals.set(log.add({ type: "approval", ...view }), approval);
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
        options.onProblem?.(error);
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

interface Bank {
  readonly client: Client;
  readonly host: Host;
  readonly agent: BankAgent;
}

/** A call that the customer has approved, and the confirmation that its result asks for. */
interface Approved {
  readonly approval: PendingApproval;
  confirmation: ControlCall | undefined;
}

const listed = z.object({
  accounts: z.array(z.object({ accountId: z.string(), name: z.string() })),
});

/** Asks the bank for the names that the customer gave to the accounts, outside of the conversation. */
async function readAccountNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const { structuredContent } = await client.callTool({ name: "list_accounts", _meta: CUSTOMER });
  const { accounts } = listed.parse(structuredContent);
  return new Map(accounts.map(({ accountId, name }) => [accountId, name]));
}

/** Converts blocks to lines of text. Other blocks are named. */
export function toTexts(content: readonly ContentBlock[]): string[] {
  return content.map((block) => block.text ?? `[${block.type}]`);
}

/** Details are for the log, not for the customer. */
function toFriendlyText(error: unknown): string {
  return ToolrailError.isInstance(error) && error.code === "invalid-arguments"
    ? "The bank cannot accept this value. Please check it and try again."
    : "Something went wrong on our side. Please try again, or start a new conversation.";
}
