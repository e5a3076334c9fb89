import { ToolrailError } from "../errors.ts";
import type { CallRequest } from "../host/call-request.ts";
import type { ToolRef } from "../host/tool.ts";
import { canonicalJson, type JsonObject } from "../json.ts";
import type { Hop } from "../result/hop.ts";
import { chainEndOf } from "./chain-end.ts";
import type { ChainEnd, PendingCall } from "./chain-result.ts";
import type { ChainStore } from "./chain-store.ts";
import { type HopTicket, hopId, isHopTicket } from "./hop-ticket.ts";
import type { ChainProgress, NextHop } from "./next-hop.ts";

/** What follows from a call: a hop with its ticket, or the end of the chain. */
export type PlannedHop = { readonly type: "call"; readonly ticket: HopTicket } | ChainEnded;

type ChainEnded = Extract<NextHop, { type: "end" }>;

/** Where a call stands: the model's own call, by the framework's id, or a hop with its ticket. */
export type CallPlace = { readonly root: string } | { readonly ticket: HopTicket };

/**
 * Remembers which hops results of this host asked for, for frameworks that make each hop themselves.
 * Such a hop runs once, as it was asked for, or not at all: a call that merely looks like a hop has no
 * ticket.
 */
export interface ChainLedger {
  /** Decides what follows from a call, or from the error it ended in, and issues the ticket. */
  plan(outcome: Hop | ToolrailError, place: CallPlace): Promise<PlannedHop>;
  /** The ticket of a hop that is still to be made. Rejects with `callback-failed` where the store does. */
  find(id: string): Promise<HopTicket | undefined>;
  /**
   * Takes the ticket, to make the hop now. Rejects with `unknown-hop` where there is none, where it was
   * taken before, and where the call is not the one that was asked for.
   */
  take(id: string, call: ToolRef & { readonly arguments: JsonObject }): Promise<HopTicket>;
  /** Gives a hop up, as when a person refuses it. */
  drop(id: string): Promise<void>;
}

export interface LedgerParts {
  readonly store: ChainStore;
  readonly ttlMs: number;
  readonly now: () => number;
  next(hop: Hop, before?: ChainProgress): NextHop;
  checkArguments(request: CallRequest): ToolrailError | undefined;
  onEnd(end: {
    readonly runId: string;
    readonly ended: ChainEnd;
    readonly hops: number;
    readonly error?: ToolrailError;
  }): void;
}

export function createChainLedger(parts: LedgerParts): ChainLedger {
  const { store, ttlMs, now } = parts;
  const find = async (id: string): Promise<HopTicket | undefined> => {
    const ticket = await guarded(() => store.get(id));
    return isHopTicket(ticket) && ticket.id === id && ticket.expiresAtMs > now()
      ? ticket
      : undefined;
  };
  const follow = async (
    hop: Hop,
    before: HopTicket | undefined,
    root: string,
  ): Promise<PlannedHop> => {
    const next = decide(parts, hop, before?.progress);
    if (next.type === "end") return next;
    const { runId, callId } = hop;
    const { call, progress } = next;
    const expiresAtMs = now() + ttlMs;
    const ticket = { id: hopId(callId), runId, root, call, progress, expiresAtMs };
    try {
      await guarded(() => store.set(ticket.id, ticket, { ttlMs }));
      return { type: "call", ticket };
    } catch (cause) {
      return endWith(cause as ToolrailError, call);
    }
  };
  return {
    async plan(outcome, place) {
      const before = "ticket" in place ? place.ticket : undefined;
      const root = "ticket" in place ? place.ticket.root : place.root;
      const failed = ToolrailError.isInstance(outcome);
      const planned = failed ? endWith(outcome, before?.call) : await follow(outcome, before, root);
      const runId = failed ? before?.runId : outcome.runId;
      if (planned.type === "end" && runId !== undefined) {
        const hops = (before?.progress.calls ?? 0) + (failed ? 0 : 1);
        parts.onEnd({ ...planned, runId, hops });
      }
      return planned;
    },
    find,
    async take(id, call) {
      const refuse = (why: string) =>
        new ToolrailError("unknown-hop", `${call.server}.${call.name} was not called: ${why}.`);
      const ticket = await find(id);
      if (!ticket) throw refuse(NO_TICKET);
      const { server, tool, arguments: args } = ticket.call;
      const same =
        server === call.server &&
        tool === call.name &&
        canonicalJson(args) === canonicalJson(call.arguments);
      if (!same) throw refuse("the result before it asked for another call");
      if ((await guarded(() => store.delete(id))) !== true) throw refuse(TAKEN);
      return ticket;
    },
    async drop(id) {
      await guarded(() => store.delete(id));
    },
  };
}

const NO_TICKET =
  "no result of this host asks for it. It has run already, has expired, was never asked for, or was " +
  "asked for in another process: give all hosts one `chainStore` to let chains go on across processes";
const TAKEN = "another run has made this call";

function decide(parts: LedgerParts, hop: Hop, before: ChainProgress | undefined): NextHop {
  const next = parts.next(hop, before);
  if (next.type === "end") return next;
  const { server, tool: name, arguments: args } = next.call;
  const defect = parts.checkArguments({ tool: { server, name }, arguments: args });
  return defect ? endWith(defect, next.call) : next;
}

function endWith(error: ToolrailError, pending: PendingCall | undefined): ChainEnded {
  return { type: "end", ended: chainEndOf(error.code), error, ...(pending && { pending }) };
}

async function guarded<T>(ask: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    throw new ToolrailError("callback-failed", `The chain store failed: ${cause}`, { cause });
  }
}
