import {
  type CallRequest,
  type ChainResult,
  createHost,
  type Hop,
  type Host,
  type HostOptions,
  type JsonObject,
  modelView,
  ToolrailError,
  type ToolrailErrorCode,
} from "@toolrail/core";
import type { InferUIMessageChunk } from "ai";
import { toTexts } from "../agents/turn-report.ts";
import { toApproval } from "./agents/chain-approval.ts";
import type { CreateWebAgent, ModelAccess, PendingApproval, WebAgent } from "./agents/web-agent.ts";
import { toApprovalView } from "./approval-view.ts";
import { type Control, toControl } from "./controls.ts";
import { toFriendlyProblem } from "./friendly-problem.ts";
import { createLastingClient } from "./lasting-client.ts";
import { createMeteredFetch } from "./metered-fetch.ts";
import { createOpenItems } from "./open-items.ts";
import type {
  ApprovalView,
  BankMessage,
  Mode,
  StatusView,
  ThreadView,
  TurnInput,
} from "./protocol.ts";
import { readResultMeta } from "./result-meta.ts";
import { createTurnLog, type TurnLog } from "./turn-log.ts";
import { createTurnRecorder, type TurnRecorder } from "./turn-recorder.ts";

type Send = (chunk: InferUIMessageChunk<BankMessage>) => void;

export interface ThreadOptions {
  readonly id: string;
  readonly mode: Mode;
  readonly bank: URL;
  readonly model: Omit<ModelAccess, "fetch">;
  readonly createAgent: CreateWebAgent;
  /** Who the customer is and which conversation this is, for every request to the bank. */
  readonly requestMeta: JsonObject;
  readonly authorize?: HostOptions["authorize"];
  /** Told of what the customer is told in other words. */
  readonly onProblem?: (problem: unknown) => void;
}

/** One conversation: its own host, its own list of tools, one turn at a time. */
export interface Thread {
  readonly id: string;
  /** Waits for the turn that is under way, so that a page which reloads sees its end. */
  view(): Promise<ThreadView>;
  /** Carries out what the customer did, once for each `messageId`. The turn goes on unheard. */
  take(messageId: string, input: TurnInput, send: Send): Promise<"done" | "known">;
  /** What the customer has typed, in order. */
  sentences(): readonly string[];
  stop(): void;
  close(): Promise<void>;
}

interface Turn {
  readonly input: TurnInput | { readonly type: "welcome" };
  readonly log: TurnLog;
  readonly recorder: TurnRecorder;
  readonly stop: AbortController;
  readonly send: Send;
  /** Controls that the turn has put before the customer. */
  opened: number;
}

export function createThread(options: ThreadOptions): Thread {
  const { id, mode, onProblem = () => {} } = options;
  const client = createLastingClient(options.bank);
  const messages: BankMessage[] = [];
  const known = new Set<string>();
  const sentences: string[] = [];
  const controls = createOpenItems<"control", Control>("control");
  const approvals = createOpenItems<"approval", PendingApproval>("approval");
  const usage = { modelCalls: 0, tokens: 0, ms: 0 };
  const hops = { total: 0, withoutModel: 0 };
  let opening: Promise<{ host: Host; agent: WebAgent }> | undefined;
  let host: Host | undefined;
  let refreshing: Promise<void> | undefined;
  let welcomed = false;
  let handoff: StatusView["handoff"];
  let ended = false;
  let turn: Turn | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const meter = createMeteredFetch((call) => {
    if (call.state !== "running") usage.modelCalls += 1;
    usage.tokens += call.tokens ?? 0;
    turn?.recorder.onModelCall(call);
  });

  function open(): Promise<{ host: Host; agent: WebAgent }> {
    opening ??= openHost().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  async function openHost() {
    host = await createHost({
      servers: { bank: { client, kind: "sdk-v1", shared: true } },
      requestMeta: () => options.requestMeta,
      limits: { callTimeoutMs: 30_000 },
      onEvent: (event) => turn?.recorder.onEvent(event),
      onHop,
      ...(options.authorize && { authorize: options.authorize }),
    });
    const model = { ...options.model, fetch: meter };
    return { host, agent: options.createAgent({ host, model }) };
  }

  function onHop(hop: Hop): void {
    hops.total += 1;
    if (hop.origin.by !== "model") hops.withoutModel += 1;
    turn?.recorder.onHop(hop);
    const wishes = readResultMeta(hop.result._meta);
    if (wishes.refreshThread === id) {
      refreshing = host?.refresh().catch(onProblem);
    }
    if (wishes.handoff) {
      const text = wishes.handoff.agent_available ?? "A person of the bank has taken over.";
      handoff = { text };
    }
    if (wishes.endsInteraction) ended = true;
    const control = host && wishes.widget && toControl(host, hop, wishes.widget);
    if (!control || !turn) return;
    const controlId = crypto.randomUUID();
    turn.recorder.showUnsaid();
    turn.log.put("control", controlId, control.view);
    controls.add(turn.log.message, controlId, control.view, control);
    turn.opened += 1;
  }

  function status(): StatusView {
    const tools = (host?.tools ?? []).filter((tool) => tool.forModel).map(({ name }) => name);
    return {
      usage: { ...usage },
      hops: { ...hops },
      tools,
      ...(handoff && { handoff }),
      ...(ended && { ended }),
    };
  }

  function notice(current: Turn, text: string, retryText?: string): void {
    const kind = retryText === undefined ? "info" : "problem";
    const data = { kind, text, ...(retryText && { retryText }) } as const;
    current.log.put("notice", crypto.randomUUID(), data);
  }

  function report(current: Turn, code: ToolrailErrorCode | "model"): void {
    const retryText = current.input.type === "text" ? current.input.text : "";
    notice(current, toFriendlyProblem(code), retryText);
  }

  /** Shows what came of calls that the model was not asked for, and tells it afterwards. */
  function settle(current: Turn, agent: WebAgent, label: string, chain: ChainResult): void {
    agent.note(`I chose: ${label}`, toTexts(modelView(chain).content).join("\n"));
    if (chain.ended === "needs-approval" && host) {
      ask(current, [toApproval(host, chain, agent.note)]);
    } else if (chain.error) {
      onProblem(chain.error);
      report(current, chain.error.code);
    }
  }

  function ask(current: Turn, pending: readonly PendingApproval[]): void {
    for (const approval of pending) {
      const approvalId = crypto.randomUUID();
      const view = toApprovalView(host, approval.call);
      current.log.put("approval", approvalId, view);
      approvals.add(current.log.message, approvalId, view, approval);
    }
  }

  async function converse(
    current: Turn,
    talk: (turn: Parameters<WebAgent["say"]>[1]) => Promise<readonly PendingApproval[]>,
  ): Promise<void> {
    const { recorder, stop } = current;
    const isOver = () => current.opened > 0 || recorder.failure() !== undefined;
    const pending = await talk({ output: recorder, signal: stop.signal, isOver });
    if (isOver()) recorder.showUnsaid();
    ask(current, pending);
    const failure = recorder.failure();
    if (stop.signal.aborted) report(current, "aborted");
    else if (failure) report(current, failure);
  }

  async function answerControl(current: Turn, controlId: string, value: string): Promise<void> {
    const found = controls.find(controlId);
    const call = found?.item.toCall(value);
    if (!found || !call) return notice(current, "This choice is no longer available.");
    if (found.view.state !== "open") {
      return notice(current, `This has already been answered: ${found.view.answer}.`);
    }
    const set = (change: Partial<typeof found.view>) => {
      const data = controls.update(controlId, change);
      if (data) current.send({ type: "data-control", id: controlId, data, transient: true });
    };
    set({ state: "busy", answer: call.label });
    const { agent } = await open().catch((error: unknown) => {
      set({ state: "open" });
      throw error;
    });
    const request: CallRequest = { tool: call.tool, arguments: call.arguments };
    const chain = await run(request, current);
    const last = chain.hops.at(-1);
    const isFinal = found.view.kind === "confirmation" || last?.result.isError !== true;
    const isAnswered = chain.ended === "needs-approval" || (last !== undefined && isFinal);
    set({ state: isAnswered ? "answered" : "open" });
    settle(current, agent, call.label, chain);
  }

  function mark({ send }: Turn, id: string, state: ApprovalView["state"]): void {
    const data = approvals.update(id, { state });
    if (data) send({ type: "data-approval", id, data, transient: true });
  }

  async function decide(current: Turn, approvalId: string, approved: boolean): Promise<void> {
    const found = approvals.find(approvalId);
    if (found?.view.state !== "open") return notice(current, "This has already been decided.");
    mark(current, approvalId, approved ? "approved" : "declined");
    await converse(current, (agentTurn) => found.item.decide(approved, agentTurn));
  }

  async function run(request: CallRequest, { stop }: Turn): Promise<ChainResult> {
    const { host: opened } = await open();
    return opened.run(request, { signal: stop.signal });
  }

  async function welcome(current: Turn): Promise<void> {
    const { host: opened, agent } = await open();
    const tool = opened.tools.find(({ meta }) => meta?.welcomeTool === true);
    welcomed = true;
    if (!tool) return current.log.text("Hello! How can I help you today?");
    const chain = await run({ tool, arguments: {} }, current);
    welcomed = chain.hops.length > 0;
    settle(current, agent, tool.title ?? tool.name, chain);
  }

  async function act(current: Turn): Promise<void> {
    const { input } = current;
    await refreshing;
    if (input.type === "welcome") return welcome(current);
    if (!welcomed) await welcome(current);
    if (input.type === "control") return answerControl(current, input.id, input.value);
    if (input.type === "approval") return decide(current, input.id, input.approved);
    if (input.type === "take-back") {
      handoff = undefined;
      return notice(current, "You are back with the assistant.");
    }
    if (ended) return notice(current, "This conversation has ended. Please start a new one.");
    if (handoff) {
      return notice(current, "Your message waits for the agent, and no assistant reads it.");
    }
    const { agent } = await open();
    for (const { id: approvalId, item } of approvals.open()) {
      item.withdraw();
      mark(current, approvalId, "left");
    }
    sentences.push(input.text);
    await converse(current, (agentTurn) => agent.say(input.text, agentTurn));
  }

  async function play(input: Turn["input"], send: Send): Promise<void> {
    const startMs = performance.now();
    const log = createTurnLog(send);
    const asker = input.type === "welcome" ? "application" : "customer";
    const isDirect = input.type === "welcome" || input.type === "control";
    const recorder = createTurnRecorder({ log, host: () => host, asker, isDirect });
    const stop = new AbortController();
    const current: Turn = { input, log, recorder, stop, send, opened: 0 };
    turn = current;
    messages.push(log.message);
    send({ type: "start", messageId: log.message.id });
    try {
      await act(current);
    } catch (error) {
      onProblem(error);
      report(current, ToolrailError.isInstance(error) ? error.code : "model");
    }
    log.endText();
    const asksModel = input.type === "text" || input.type === "approval";
    if (asksModel) usage.ms += performance.now() - startMs;
    turn = undefined;
    await Promise.race([refreshing, new Promise((resolve) => setTimeout(resolve, 1000))]);
    send({ type: "data-status", data: status(), transient: true });
    send({ type: "finish" });
  }

  /** One after the other: two tabs can't act at the same time. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const next = queue.then(work, work);
    queue = next;
    return next;
  }

  void enqueue(() => play({ type: "welcome" }, () => {}));

  return {
    id,
    async view() {
      await queue.catch(() => {});
      return { id, mode, messages, status: status() };
    },
    async take(messageId, input, send) {
      if (known.has(messageId)) return "known";
      known.add(messageId);
      await enqueue(async () => {
        const text = labelOf(input, controls);
        messages.push({ id: messageId, role: "user", parts: [{ type: "text", text }] });
        await play(input, send);
      });
      return "done";
    },
    sentences: () => sentences,
    stop: () => turn?.stop.abort(),
    async close() {
      turn?.stop.abort();
      await host?.close().catch(() => {});
      await client.close();
    },
  };
}

/** What the customer did, in words: as the page writes it too. */
function labelOf(
  input: TurnInput,
  controls: { find(id: string): { readonly item: Control } | undefined },
): string {
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
