import { isDeepStrictEqual } from "node:util";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type ContentBlock,
  createHost,
  type Hop,
  type Host,
  type HostOptions,
  modelView,
  ToolrailError,
  userView,
} from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import { z } from "zod";
import { type AgentTurn, askBeforeLargeTransfers, type PendingApproval } from "../agents/agent.ts";
import { createAiSdkAgent } from "../agents/ai-sdk-agent.ts";
import { createLangGraphAgent } from "../agents/langgraph-agent.ts";
import { CUSTOMER, readWidget, type Widget } from "../bank/meta.ts";
import { createMeteredFetch, type ModelEndpoint } from "../model.ts";
import { createLog, type Mode, type TurnInput } from "./conversation-view.ts";
import {
  toApprovalQuestion,
  toGuardList,
  toGuardText,
  toHopEntry,
  toQuestion,
  toWidgetCall,
  type WidgetCall,
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

export type Conversation = ReturnType<typeof createConversation>;

/**
 * A customer's conversation with the bank, the same for the terminal and for the page. It connects at once, and takes one turn
 * at a time.
 */
export function createConversation(options: ConversationOptions) {
  const { mode, endpoint, authorize = askBeforeLargeTransfers } = options;
  const log = createLog({ mode, model: endpoint.description });
  /** What waits for the customer, by the ids of its entries. */
  const widgets = new Map<string, Widget>();
  const approvals = new Map<string, PendingApproval>();
  const closing = new AbortController();
  const meter = createMeteredFetch((call) => log.put({ type: "model", ...call }));
  type Session = Awaited<ReturnType<typeof open>>;
  let session: Session | undefined;
  let asksModel = false;
  /** A call that the customer has approved, and the confirmation that its result asks for. */
  let approved: { call: PendingApproval; confirmation?: WidgetCall | undefined } | undefined;
  let queue: Promise<void> = Promise.resolve();

  /** Connects to the bank: a session with it, a host on that, and the agent of the mode on the host. */
  async function open() {
    const client = await options.connect();
    const host: Host = await createHost({
      servers: { bank: client },
      authorize,
      onEvent(event) {
        const entry = toHopEntry(event, host.tools);
        if (entry) log.put(entry);
      },
      use: [{ name: "customer", requestMeta: () => CUSTOMER, onHop: ({ hop }) => onHop(hop) }],
    });
    if (mode === "guard") log.change({ mayCall: toGuardList(host.tools) });
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

  /** Shows the content for the customer, except what a model will relay. */
  function onHop(hop: Hop): void {
    options.onHop?.(hop);
    const widget = readWidget(hop.result._meta);
    // A transfer that the customer has approved unchanged needs no second confirmation.
    if (approved && widget?.kind === "confirmation" && isTransfer(hop, approved.call)) {
      approved.confirmation = toWidgetCall(widget, widget.choices?.[0]?.label ?? "");
      return;
    }
    const { content, verbatim } = userView(hop);
    for (const text of toTexts(asksModel ? verbatim : content)) log.add({ type: "shown", text });
    if (widget) widgets.set(log.add({ type: "question", ...toQuestion(widget) }), widget);
  }

  async function act(input?: TurnInput): Promise<void> {
    session ??= await open();
    const { agent } = session;
    if (input?.type === "answer") {
      const { id, value } = input;
      if (approvals.has(id)) await decide(id, value === "Approve", session);
      else await choose(id, value, session);
    } else if (input && approvals.size > 0) {
      log.add({ type: "notice", text: "Please approve or decline first." });
    } else if (input) {
      log.add({ type: "user", text: input.text, isTyped: true });
      await talk((turn) => agent.say(input.text, turn), session);
    }
  }

  /** Answers a widget, which needs no model. */
  async function choose(id: string, value: string, session: Session): Promise<void> {
    const widget = widgets.get(id);
    const call = widget && toWidgetCall(widget, value);
    if (!call) return;
    log.add({ type: "user", text: call.label, isTyped: false });
    const { hops, error } = await press(call, session);
    const last = hops.at(-1);
    // The customer may correct a value that the bank refused. A confirmation that it refused is over.
    if (last && (!last.result.isError || widget.kind === "confirmation")) {
      widgets.delete(id);
      log.settle(id, "answered");
    }
    if (error) throw error;
  }

  /** Makes the call of a widget, and informs the agent. */
  async function press(call: WidgetCall, { host, agent }: Session) {
    const request = { tool: `bank.${call.tool}`, arguments: call.arguments };
    const chain = await host.run(request, { signal: closing.signal });
    agent.note(`I chose: ${call.label}`, toTexts(modelView(chain).content).join("\n"));
    return chain;
  }

  /** Carries out the customer's decision. An approved transfer is confirmed with it: the customer is asked once. */
  async function decide(id: string, isYes: boolean, session: Session): Promise<void> {
    const call = approvals.get(id);
    if (!call) return;
    approvals.delete(id);
    log.settle(id, isYes ? "approved" : "declined");
    log.add({ type: "user", text: isYes ? "Approve" : "Decline", isTyped: false });
    const decided: typeof approved = { call };
    approved = isYes ? decided : undefined;
    await talk((turn) => call.decide(isYes, turn), session).finally(() => {
      approved = undefined;
    });
    const chain = decided.confirmation && (await press(decided.confirmation, session));
    if (chain?.error) throw chain.error;
  }

  /** Lets the agent talk until it has nothing to add, and asks for the approvals it needs. */
  async function talk(
    speak: (turn: AgentTurn) => Promise<readonly PendingApproval[]>,
    { client, host: { tools } }: Session,
  ): Promise<void> {
    const startMs = performance.now();
    asksModel = true;
    try {
      const pending = await speak({ onText: log.words, signal: closing.signal });
      const accounts = pending.length > 0 ? await readAccountNames(client) : new Map();
      for (const approval of pending) {
        const question = toApprovalQuestion(approval, { tools, accounts });
        approvals.set(log.add({ type: "question", ...question }), approval);
      }
      await meter.settled();
    } finally {
      asksModel = false;
      log.change({ answerMs: log.view().answerMs + performance.now() - startMs });
    }
  }

  /**
   * Carries out what the customer did, whether or not anybody watches. Never rejects. One after the other: two tabs can't act at
   * the same time.
   */
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
    /** Breaks off the turn under way. */
    async close() {
      closing.abort();
      await queue;
      await session?.host.close();
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
