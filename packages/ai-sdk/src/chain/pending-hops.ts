import type { Host, ToolRef } from "@toolrail/core";
import {
  allForUser,
  engineOf,
  hopId,
  isHopId,
  isPendingHop,
  type PendingHop,
  pendingHopProblem,
} from "@toolrail/core/adapter";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import type { ProviderOptions } from "../sdk.ts";
import { asRecord, findCall, partsOf, readMark, toMark } from "../tools/messages.ts";

export type PendingHops = ReturnType<typeof openPendingHops>;

/** Opens the pending hops of one conversation. Every function rejects with `callback-failed` if the store fails. */
export function openPendingHops(host: Host, conversation?: string) {
  const engine = engineOf(host);
  const { now } = engine;
  const store = engine.storeOf(conversation);
  const find = async (id: string): Promise<PendingHop | undefined> => {
    const pending = await store.get(`hop:${id}`);
    const isLive = isPendingHop(pending) && pending.id === id && pending.expiresAtMs > now();
    return isLive ? pending : undefined;
  };
  /** Drops a hop, for example if a person refuses it. Returns true if this caller removed it. */
  const drop = (id: string) => store.delete(`hop:${id}`);
  const keep = (pending: PendingHop) => store.set(`hop:${pending.id}`, pending);
  // Each trip to the store may be one over a network. A later step or run makes it again, since another process may have dropped the hop.
  const ofStep = new Map<string, PendingHop>();
  /** Begins a step that makes these hops, so that its calls need not read them from the store again. */
  const beginStep = (hops: readonly PendingHop[]) => {
    ofStep.clear();
    for (const hop of hops) ofStep.set(hop.id, hop);
  };
  const findInStep = async (id: string) => ofStep.get(id) ?? (await find(id));
  /**
   * Takes a hop to make it now. Rejects with `unknown-hop` if the hop does not exist, was taken before, or is another
   * call. The hop stays in the store if it is made once, so that another run that continues from the same messages gets
   * the same result.
   */
  const take = async (id: string, call: ToolRef & { readonly arguments: JsonObject }) => {
    const pending = await findInStep(id);
    ofStep.delete(id);
    const taken = { ...call, nowMs: now() };
    const defect = pendingHopProblem(pending, taken);
    if (!pending || defect) throw defect;
    if (pending.key !== undefined || (await drop(id))) return pending;
    throw pendingHopProblem(undefined, taken);
  };
  return { find, findInStep, drop, keep, beginStep, take };
}

/** Builds the mark on the call of a hop. With a seal, a page keeps the whole hop while it waits for an approval. */
export function toHopMark(pending: PendingHop, seal: string | undefined): ProviderOptions {
  const { arguments: _, ...call } = pending.call; // They are the input of the call.
  const kept = seal !== undefined && { hop: JSON.stringify({ ...pending, call }), seal };
  return toMark({
    root: pending.root,
    ...(call.origin.forUserAlone && { userOnly: true }),
    ...kept,
  });
}

/** Reads the hop that a person was asked about from the messages. Its seal is not checked here. */
export function readAskedHop(messages: readonly unknown[], id: string) {
  const { input, ...call } = findCall(messages, id) ?? {};
  const { hop, seal } = readMark(call);
  const stored = parseJson(hop);
  if (!isJsonObject(stored) || !isJsonObject(stored.call)) return undefined;
  const pending: unknown = { ...stored, call: { ...stored.call, arguments: input } };
  return isPendingHop(pending) && pending.id === id ? { pending, seal } : undefined;
}

function parseJson(text = "null"): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Turn {
  readonly messages: readonly unknown[];
  /** True if the user has written something after these results, so that no chain continues. */
  readonly isInterrupted: boolean;
  /** Returns true if another tool than the host's has the name of the tool that is to be called. */
  isTaken(pending: PendingHop): boolean;
}

/**
 * Reads the results since the last turn. Returns the hops that they ask for, in order, the reasons why other hops are
 * lost, the hops that a person refused, and whether the user was shown all results.
 */
export async function readTurn(
  pendingHops: PendingHops,
  { messages, isInterrupted, isTaken }: Turn,
) {
  const last = messages.findLastIndex((message) => !isOfChain(message));
  const results = partsOf(messages.slice(last + 1), "tool", "tool-result");

  /** Finds the hop to make, or says why there is none. A hop that was made already has nothing to say. */
  const open = async (id: string): Promise<PendingHop | string | undefined> => {
    // The SDK skips a call whose tool it does not have, approved or not.
    if (findCall(messages, id))
      return results.some(({ toolCallId }) => toolCallId === id) ? undefined : LEFT_OUT;
    const pending = await pendingHops.find(id);
    if (!pending) return NOT_FOUND;
    if (isTaken(pending)) return NAME_TAKEN;
    if (!isInterrupted) return pending;
    await pendingHops.drop(id); // Messages that are cut off before the user's words must not bring it back.
    return INTERRUPTED;
  };

  const marks = results.map(({ output }) => readMark(output));
  const asking = [...new Set(marks.flatMap(({ call }) => call ?? []))].map(async (call) => {
    const hop = await open(hopId(call)).catch(({ message }: Error) => message);
    return { call, hop };
  });
  const opened = await Promise.all(asking);
  const denied = results.filter(({ output }) => asRecord(output).type === "execution-denied");
  return {
    hops: opened.flatMap(({ hop }) => (typeof hop === "object" ? hop : [])),
    lost: new Map(
      opened.flatMap(({ call, hop }) => (typeof hop === "string" ? [[call, hop]] : [])),
    ),
    denied: denied.map(({ toolCallId }) => String(toolCallId)).filter(isHopId),
    isShown: asRecord(messages[last]).role === "assistant" && allForUser(marks),
  };
}

/** Returns true for results and for calls of hops, which neither a model nor a person wrote. */
function isOfChain(message: unknown): boolean {
  const calls = partsOf([message], "assistant", "tool-call");
  const isHop = calls.length > 0 && calls.every((part) => readMark(part).root !== undefined);
  return isHop || asRecord(message).role === "tool";
}

const LEFT_OUT = "Nobody answered it, or its tool no longer exists.";
const INTERRUPTED = "The user wrote something first.";
const NAME_TAKEN = "The application has another tool with the name of its tool.";
const NOT_FOUND =
  "This host no longer has it: it has expired, another run may have made it, it was dropped because the memory for waiting " +
  "hops was full, or another process decided on it.";
