import type { Host, ToolRef } from "@toolrail/core";
import {
  askStore,
  engineOf,
  isPendingHop,
  type PendingHop,
  pendingHopProblem,
  toConversationKey,
} from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import type { ProviderOptions } from "../sdk-types.ts";
import { readMark, toMark } from "../tools/marks.ts";
import { partsOf } from "../tools/messages.ts";

interface CallToTake extends ToolRef {
  readonly arguments: JsonObject;
  /** The messages of the step that makes the call. */
  readonly step?: object;
}

export type PendingHops = ReturnType<typeof openPendingHops>;

/** Opens the pending hops of one conversation. Every function rejects with `callback-failed` if the store fails. */
export function openPendingHops(host: Host, conversation?: string) {
  const { store, approvalTtlMs, now } = engineOf(host);
  const toKey = (id: string) => toConversationKey(conversation, `hop:${id}`);
  // Another step or run reads its hops again, since another process may have dropped them.
  const read = new WeakMap<object, readonly PendingHop[]>();
  /** Remembers the hops of one step by the messages that the SDK passes to their calls. */
  const remember = (pendingHops: readonly PendingHop[], step: object) => {
    read.set(step, pendingHops);
  };
  /** Finds a hop, without another trip to the store if this step has read it. */
  const find = async (id: string, step?: object): Promise<PendingHop | undefined> => {
    const known = step && read.get(step)?.find((pending) => pending.id === id);
    if (known) return known;
    const pending = await askStore(() => store.get(toKey(id)));
    const isLive = isPendingHop(pending) && pending.id === id && pending.expiresAtMs > now();
    return isLive ? pending : undefined;
  };
  /** Drops a hop, for example if a person refuses it. Returns true if this caller removed it. */
  const drop = async (id: string) => Boolean(await askStore(() => store.delete(toKey(id))));
  const keep = async (pending: PendingHop): Promise<void> => {
    await askStore(() => store.set(toKey(pending.id), pending, approvalTtlMs));
  };
  /**
   * Takes a hop to make it now. Rejects with `unknown-hop` if the hop does not exist, was taken before, or is another
   * call. The hop stays in the store if it is made once, so that another run that continues from the same messages gets
   * the same result.
   */
  const take = async (id: string, call: CallToTake) => {
    const pending = await find(id, call.step);
    const defect = pendingHopProblem(pending, { ...call, nowMs: now() });
    if (!pending || defect) throw defect;
    if (pending.key !== undefined) return pending;
    if (!(await drop(id))) throw pendingHopProblem(undefined, { ...call, nowMs: now() });
    return pending;
  };
  return { remember, find, drop, keep, take };
}

/** Builds the mark on the call of a hop. With a seal, a page keeps the whole hop while it waits for an approval. */
export function toHopMark(pending: PendingHop, seal: string | undefined): ProviderOptions {
  const { root, call, ...hop } = pending;
  const { arguments: _, ...rest } = call; // They are the input of the call.
  const kept = seal !== undefined && { hop: JSON.stringify({ ...hop, call: rest }), seal };
  return toMark({ root, ...(call.origin.forUserAlone && { userOnly: true }), ...kept });
}

/** Reads the hop that a person was asked about from the messages. Its seal is not checked here. */
export function readAskedHop(messages: readonly unknown[], id: string) {
  const calls = messages
    .flatMap((message) => partsOf(message, "assistant"))
    .filter(({ type, toolCallId }) => type === "tool-call" && toolCallId === id);
  const { input, ...call } = calls.at(-1) ?? {};
  const { root, hop = "null", seal } = readMark(call);
  const stored: unknown = parseJson(hop);
  if (!isJsonObject(stored) || !isJsonObject(stored.call)) return undefined;
  const { runId, key, seen, expiresAtMs } = stored;
  const pending = {
    id,
    runId,
    root,
    key,
    seen,
    expiresAtMs,
    call: { ...stored.call, arguments: input },
  };
  return isPendingHop(pending) && stored.id === id ? { pending, seal } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
