import type { Decision, Host, ToolRef } from "@toolrail/core";
import { engineOf, isPendingHop, type PendingHop, pendingHopProblem } from "@toolrail/core/adapter";
import { askStore, toConversationKey } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";

/** A call that waits: for its turn, for input from the user, or for the approval of a step of a pipe. */
export interface WaitingHop extends PendingHop {
  readonly decision?: Decision | undefined;
  /** The path of the step if the pipe makes the call. */
  readonly path?: string;
  /** The pending hops of the steps of a pipe that wait, by the paths of the steps. */
  readonly asks?: Readonly<Record<string, string>>;
}

export type PendingHops = ReturnType<typeof openPendingHops>;

/** Opens the pending hops of one conversation. Every function rejects with `callback-failed` if the store fails. */
export function openPendingHops(host: Host, conversation?: string) {
  const { store, pendingHopTtlMs, now, isOnce } = engineOf(host);
  const keyOf = (id: string) => toConversationKey(conversation, `hop:${id}`);
  // The hops that this run has read. Only a run that deletes a hop from the store may make it.
  const read = new Map<string, WaitingHop>();
  const find = async (id: string): Promise<WaitingHop | undefined> => {
    const pending = await askStore(() => store.get(keyOf(id)));
    const isLive = isPendingHop(pending) && pending.id === id && pending.expiresAtMs > now();
    if (!isLive) return undefined;
    if ((pending as WaitingHop).path === undefined && read.size < MAX_READ) read.set(id, pending);
    return pending;
  };
  /** Finds a hop without another trip to the store if this run has read it. */
  const findRead = async (id: string) => read.get(id) ?? (await find(id));
  /** Drops a hop, for example if a person refuses it. Returns true if this caller removed it. */
  const drop = async (id: string) => {
    read.delete(id);
    return Boolean(await askStore(() => store.delete(keyOf(id))));
  };
  const keep = async (pending: WaitingHop): Promise<void> => {
    read.delete(pending.id);
    await askStore(() => store.set(keyOf(pending.id), pending, pendingHopTtlMs));
  };
  /**
   * Takes a hop to make it now. Rejects with `unknown-hop` if the hop does not exist, was taken before, or is another
   * call. The hop stays in the store if the host makes the call once, so that other processes get the same result,
   * and for a step of a pipe.
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
