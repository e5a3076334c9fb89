import type { Decision, Host, ToolRef } from "@toolrail/core";
import { isPendingHop, type PendingHop, pendingHopProblem } from "@toolrail/core/adapter";
import { askStore, engineOf, toConversationKey } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";

/** A call that waits: for its turn, for input from the user, or for the approval of a step of a pipe. */
export interface WaitingHop extends PendingHop {
  readonly decision?: Decision | undefined;
  /** The path of the step if the pipe makes the call. */
  readonly path?: string;
  /** The pending hops of the steps of a pipe that wait, by the paths of the steps. */
  readonly asks?: Readonly<Record<string, string>>;
}

interface CallToTake extends ToolRef {
  readonly arguments: JsonObject;
  /** The messages of the step that makes the call. */
  readonly step?: object;
}

export type PendingHops = ReturnType<typeof openPendingHops>;

/** Opens the pending hops of one conversation. Every function rejects with `callback-failed` if the store fails. */
export function openPendingHops(host: Host, conversation?: string) {
  const { store, pendingHopTtlMs, now, isOnce } = engineOf(host);
  const toKey = (id: string) => toConversationKey(conversation, `hop:${id}`);
  // Another step or run reads its hops again, since another process may have dropped them.
  const read = new WeakMap<object, readonly WaitingHop[]>();
  /** Remembers the hops of one step by the messages that the SDK passes to their calls. */
  const remember = (pendingHops: readonly WaitingHop[], step: object) => {
    read.set(step, pendingHops);
  };
  /** Finds a hop, without another trip to the store if this step has read it. */
  const find = async (id: string, step?: object): Promise<WaitingHop | undefined> => {
    const known = step && read.get(step)?.find((pending) => pending.id === id);
    if (known) return known;
    const pending = await askStore(() => store.get(toKey(id)));
    const isLive = isPendingHop(pending) && pending.id === id && pending.expiresAtMs > now();
    return isLive ? pending : undefined;
  };
  /** Drops a hop, for example if a person refuses it. Returns true if this caller removed it. */
  const drop = async (id: string) => Boolean(await askStore(() => store.delete(toKey(id))));
  const keep = async (pending: WaitingHop): Promise<void> => {
    await askStore(() => store.set(toKey(pending.id), pending, pendingHopTtlMs));
  };
  /**
   * Takes a hop to make it now. Rejects with `unknown-hop` if the hop does not exist, was taken before, or is another
   * call. The hop stays in the store if the host makes the call once, so that other processes get the same result,
   * and for a step of a pipe.
   */
  const take = async (id: string, call: CallToTake) => {
    const pending = await find(id, call.step);
    const defect = pendingHopProblem(pending, { ...call, nowMs: now() });
    if (!pending || defect) throw defect;
    if (pending.path !== undefined || isOnce(host.find(call), pending.key)) return pending;
    if (!(await drop(id))) throw pendingHopProblem(undefined, { ...call, nowMs: now() });
    return pending;
  };
  return { remember, find, drop, keep, take };
}
