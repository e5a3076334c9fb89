import type { Host } from "@toolrail/core";
import type { PendingApproval } from "./agents/web-agent.ts";
import type { Control } from "./controls.ts";
import { createOpenItems, type OpenItems } from "./open-items.ts";
import type { BankMessage, StatusView } from "./protocol.ts";

/** What a conversation keeps between its turns. */
export interface ThreadState {
  readonly messages: BankMessage[];
  /** What the customer has typed, in order. */
  readonly sentences: string[];
  readonly controls: OpenItems<"control", Control>;
  readonly approvals: OpenItems<"approval", PendingApproval>;
  readonly usage: { modelCalls: number; tokens: number; ms: number };
  readonly hops: { total: number; withoutModel: number };
  /** Set while a person of the bank has the conversation. */
  handoff: StatusView["handoff"];
  isWelcomed: boolean;
  isEnded: boolean;
  /** The tools are being listed again, as the bank has asked. */
  refreshing: Promise<void> | undefined;
}

export function createThreadState(): ThreadState {
  return {
    messages: [],
    sentences: [],
    controls: createOpenItems("control"),
    approvals: createOpenItems("approval"),
    usage: { modelCalls: 0, tokens: 0, ms: 0 },
    hops: { total: 0, withoutModel: 0 },
    handoff: undefined,
    isWelcomed: false,
    isEnded: false,
    refreshing: undefined,
  };
}

export function toStatus(state: ThreadState, host: Host | undefined): StatusView {
  const { usage, hops, handoff, isEnded } = state;
  const tools = (host?.tools ?? []).filter(({ forModel }) => forModel).map(({ name }) => name);
  return {
    ...{ usage: { ...usage }, hops: { ...hops }, tools },
    ...(handoff && { handoff }),
    ...(isEnded && { ended: true }),
  };
}
