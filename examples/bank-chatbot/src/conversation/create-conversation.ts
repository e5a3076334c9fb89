import { isDeepStrictEqual } from "node:util";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ContentBlock,
  createHost,
  type Hop,
  type Host,
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
  GUARD_LIST,
  type PendingApproval,
} from "../agents/agent.ts";
import { createAiSdkAgent } from "../agents/ai-sdk-agent.ts";
import { createLangGraphAgent } from "../agents/langgraph-agent.ts";
import { CUSTOMER, readWidget, type Widget } from "../bank/meta.ts";
import { createMeteredFetch, type ModelEndpoint } from "../model.ts";
import {
  type ApprovalView,
  createLog,
  type InputOf,
  type Log,
  type Mode,
  type TurnInput,
} from "./conversation-view.ts";
import {
  type ControlCall,
  toApprovalView,
  toControlCall,
  toControlView,
  toGuardText,
  toHopEntry,
} from "./entries.ts";

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
  /** What is open, by the ids of its entries. */
  const widgets = new Map<string, Widget>();
  const approvals = new Map<string, { approval: PendingApproval; view: ApprovalView }>();
  const closing = new AbortController();
  const meter = createMeteredFetch((call) => log.put({ type: "model", ...call }));
  let opening: Promise<Bank> | undefined;
  let isWelcomed = false;
  let asksModel = false;
  /** A call that the customer has approved, and the confirmation that its result asks for. */
  let approved:
    | { readonly call: PendingApproval; confirmation?: ControlCall | undefined }
    | undefined;
  let queue: Promise<void> = Promise.resolve();

  /** Opens a host with a separate session at the bank, and the agent of the mode on it. */
  async function open() {
    const client = await options.connect();
    const host: Host = await createHost({
      servers: { bank: client },
      authorize,
      onEvent(event) {
        const asker = isWelcomed ? "customer" : "application";
        const entry = toHopEntry(event, { tools: host.tools, asker });
        if (entry) log.put(entry);
        if (event.type === "tools-changed") showTools(host.tools);
      },
      use: [{ name: "customer", requestMeta: () => CUSTOMER, onHop: ({ hop }) => onHop(hop) }],
    });
    const onOutcome = (outcome: GuardOutcome) => {
      const text = toGuardText(outcome, host.tools);
      if (text) log.add({ type: "guard", text });
    };
    const parts = { host, model: { ...endpoint, fetch: meter.fetch } };
    const agent =
      mode === "langgraph"
        ? createLangGraphAgent(parts)
        : createAiSdkAgent(parts, mode === "guard" ? onOutcome : undefined);
    return { client, host, agent };
  }

  type Bank = Awaited<ReturnType<typeof open>>;

  /** Shows the content for the customer, except what a model will relay. */
  function onHop(hop: Hop): void {
    options.onHop?.(hop);
    const widget = readWidget(hop.result._meta);
    // A transfer that the customer has approved unchanged needs no second confirmation.
    if (approved && widget?.type === "confirmation" && isTransfer(hop, approved.call)) {
      approved.confirmation = toControlCall(widget, "confirm");
      return;
    }
    const { content, verbatim } = userView(hop);
    for (const text of toTexts(asksModel ? verbatim : content)) log.add({ type: "shown", text });
    if (!widget) return;
    widgets.set(log.add({ type: "control", state: "open", ...toControlView(widget) }), widget);
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
    if (approvals.size > 0) {
      log.add({ type: "notice", text: "Please approve or decline first." });
      return;
    }
    log.add({ type: "user", text: input.text, isTyped: true });
    await talk((turn) => agent.say(input.text, turn), bank);
  }

  /** Calls the control's tool, which needs no model. */
  async function choose({ id, value }: InputOf<"control">, bank: Bank): Promise<void> {
    const widget = widgets.get(id);
    const call = widget && toControlCall(widget, value);
    if (!call) return;
    log.add({ type: "user", text: call.label, isTyped: false });
    const { hops, error } = await press(call, bank);
    const last = hops.at(-1);
    // The customer may correct a value that the bank refused. A confirmation that it refused is over.
    if (last && (!last.result.isError || widget.type === "confirmation")) {
      widgets.delete(id);
      log.put({ id, type: "control", state: "answered", ...toControlView(widget) });
    }
    if (error) throw error;
  }

  /** Makes the call of a button, and informs the agent. */
  async function press(call: ControlCall, { host, agent }: Bank) {
    const chain = await host.run({ tool: `bank.${call.tool}`, arguments: call.arguments });
    agent.note(`I chose: ${call.label}`, toTexts(modelView(chain).content).join("\n"));
    return chain;
  }

  /** Carries out the customer's decision. An approved transfer is confirmed with it: the customer is asked once. */
  async function decide({ id, approved: isYes }: InputOf<"approval">, bank: Bank): Promise<void> {
    const asked = approvals.get(id);
    if (!asked) return;
    approvals.delete(id);
    const { approval: call, view } = asked;
    log.put({ id, type: "approval", ...view, state: isYes ? "approved" : "declined" });
    log.add({ type: "user", text: isYes ? "Approve" : "Decline", isTyped: false });
    const decided: typeof approved = { call };
    approved = isYes ? decided : undefined;
    await talk((turn) => call.decide(isYes, turn), bank).finally(() => {
      approved = undefined;
    });
    const chain = decided.confirmation && (await press(decided.confirmation, bank));
    if (chain?.error) throw chain.error;
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
      const accounts = pending.length > 0 ? await readAccountNames(client) : undefined;
      for (const approval of pending) {
        const view = toApprovalView(approval, { tools, accounts });
        approvals.set(log.add({ type: "approval", ...view }), { approval, view });
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

function isTransfer(hop: Hop, { toolName, arguments: args }: PendingApproval): boolean {
  const isSame = toolName.endsWith(hop.tool) && isDeepStrictEqual(hop.arguments, args);
  return hop.tool === "prepare_money_transfer" && isSame;
}

const account = z.object({ accountId: z.string(), name: z.string() });
const listed = z.object({ accounts: z.array(account) });

/** Asks the bank for the names that the customer gave to the accounts, outside of the conversation. Empty if it has none. */
async function readAccountNames(client: Client): Promise<ReadonlyMap<string, string>> {
  const called = client.callTool({ name: "list_accounts", _meta: CUSTOMER });
  const answer = await called.catch(() => undefined);
  const { data } = listed.safeParse(answer?.structuredContent);
  return new Map(data?.accounts.map(({ accountId, name }) => [accountId, name]));
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
