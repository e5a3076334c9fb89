import type { Decision, Host, ToolRef } from "@toolrail/core";
import { engineOf, isPendingHop, type PendingHop, pendingHopProblem } from "@toolrail/core/adapter";
import { askStore, toConversationKey } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";

/** A call that waits: for its turn, for what its server asks of the user, or for a person's word to a step of a pipe. */
export interface WaitingHop extends PendingHop {
  /** What has been said to it. */
  readonly decision?: Decision | undefined;
  /** Of a step of a pipe: its path. The pipe makes its call. */
  readonly path?: string;
  /** Of a pipe that waits: the pending hops of the steps that do, by their paths. */
  readonly asks?: Readonly<Record<string, string>>;
}

/** The hops that wait to be made, in the store of their host: each is taken once, in whatever process. */
export type PendingHops = ReturnType<typeof openPendingHops>;

/** The pending hops of a host in a conversation, for no other to take. All of it rejects with `callback-failed` where the store does. */
export function openPendingHops(host: Host, conversation?: string) {
  const { store, pendingHopTtlMs, now, isOnce } = engineOf(host);
  const keyOf = (id: string) => toConversationKey(conversation, `hop:${id}`);
  // The run that has read a hop makes it: only who deletes it from the store may.
  const read = new Map<string, WaitingHop>();
  /** Reads a hop that is still to be made from the store. */
  const find = async (id: string): Promise<WaitingHop | undefined> => {
    const pending = await askStore(() => store.get(keyOf(id)));
    const isLive = isPendingHop(pending) && pending.id === id && pending.expiresAtMs > now();
    if (!isLive) return undefined;
    if ((pending as WaitingHop).path === undefined && read.size < MAX_READ) read.set(id, pending);
    return pending;
  };
  /** Finds a hop without another trip to the store if this run has read it. */
  const findRead = async (id: string) => read.get(id) ?? (await find(id));
  /** Gives a hop up, for example if a person refuses it. True for the caller that removed it. */
  const drop = async (id: string) => {
    read.delete(id);
    return Boolean(await askStore(() => store.delete(keyOf(id))));
  };
  const keep = async (pending: WaitingHop): Promise<void> => {
    read.delete(pending.id);
    await askStore(() => store.set(keyOf(pending.id), pending, pendingHopTtlMs));
  };
  /**
   * Takes the pending hop, to make it now. Rejects with `unknown-hop` where there is none, where it was taken
   * before, and where the call is not the one that was asked for. A hop that the host makes once keeps its pending hop:
   * whoever else goes on with these messages gets the same result. So does a step of a pipe, for its pipe to see.
   */
  const take = async (id: string, call: ToolRef & { readonly arguments: JsonObject }) => {
    const pending = await findRead(id);
    const defect = pendingHopProblem(pending, { ...call, nowMs: now() });
    if (!pending || defect) throw defect;
    if (pending.path !== undefined || isOnce(host.find(call), pending.key)) return pending;
    if (!(await drop(id))) throw pendingHopProblem(undefined, { ...call, nowMs: now() });
    return pending;
  };
  return { find, findRead, drop, keep, take };
}

/** The most hops that one run remembers between reading and making them. */
const MAX_READ = 1_000;
