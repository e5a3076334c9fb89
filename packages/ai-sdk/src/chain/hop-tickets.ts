import type { ApprovalDecision, Host, InputDecision, ToolRef } from "@toolrail/core";
import { engineOf, type HopTicket, isHopTicket, ticketDefect } from "@toolrail/core/adapter";
import { askStore, toConversationKey } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";

/** A call that waits: for its turn, for what its server asks of the user, or for a person's word to a step of a pipe. */
export interface WaitingTicket extends HopTicket {
  /** What has been said to it. */
  readonly decision?: ApprovalDecision | InputDecision | undefined;
  /** Of a step of a pipe: its path. The pipe makes its call. */
  readonly path?: string;
  /** Of a pipe that waits: the tickets of the steps that do, by their paths. */
  readonly asks?: Readonly<Record<string, string>>;
}

/** The hops that wait to be made, in the store of their host: each is taken once, in whatever process. */
export type HopTickets = ReturnType<typeof hopTicketsOf>;

/** The tickets of a host in a conversation, for no other to take. All of it rejects with `callback-failed` where the store does. */
export function hopTicketsOf(host: Host, conversation?: string) {
  const { store, ticketTtlMs, now, isOnce } = engineOf(host);
  const keyOf = (id: string) => toConversationKey(conversation, `hop:${id}`);
  /** The ticket of a hop that is still to be made. */
  const find = async (id: string): Promise<WaitingTicket | undefined> => {
    const ticket = await askStore(() => store.get(keyOf(id)));
    const isLive = isHopTicket(ticket) && ticket.id === id && ticket.expiresAtMs > now();
    return isLive ? ticket : undefined;
  };
  /** Gives a hop up, as when a person refuses it. True for the caller that removed it. */
  const drop = async (id: string) => Boolean(await askStore(() => store.delete(keyOf(id))));
  const keep = async (ticket: WaitingTicket): Promise<void> => {
    await askStore(() => store.set(keyOf(ticket.id), ticket, ticketTtlMs));
  };
  /**
   * Takes the ticket, to make the hop now. Rejects with `unknown-hop` where there is none, where it was taken
   * before, and where the call is not the one that was asked for. A hop that the door makes once keeps its ticket:
   * whoever else goes on with these messages gets the same result. So does a step of a pipe, for its pipe to see.
   */
  const take = async (id: string, call: ToolRef & { readonly arguments: JsonObject }) => {
    const ticket = await find(id);
    const defect = ticketDefect(ticket, { ...call, nowMs: now() });
    if (!ticket || defect) throw defect;
    if (ticket.path !== undefined || isOnce(host.find(call), ticket.key)) return ticket;
    if (!(await drop(id))) throw ticketDefect(undefined, { ...call, nowMs: now() });
    return ticket;
  };
  return { find, drop, keep, take };
}
