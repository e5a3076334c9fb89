import { isJsonObject } from "../json.ts";
import type { PendingCall } from "./chain-result.ts";
import type { ChainProgress } from "./next-hop.ts";

/** A hop that a result asked for and that is still to be made: what its host remembers. Plain JSON. */
export interface HopTicket {
  /** The id under which the framework knows the call: see `hopId`. */
  readonly id: string;
  readonly runId: string;
  /** The framework's id of the model's call that the chain began with. */
  readonly root: string;
  readonly call: PendingCall;
  /** Where the chain stands before this call. */
  readonly progress: ChainProgress;
  /** Milliseconds since the epoch. */
  readonly expiresAtMs: number;
}

const PREFIX = "hop-";

/** The id of the hop that follows from a call: 40 characters where ids are UUIDs, as providers allow. */
export function hopId(callId: string): string {
  return PREFIX + callId;
}

/** True for an id that only a hop may have. A call with such an id never runs without its ticket. */
export function isHopId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** True for what a store gives back of a ticket. */
export function isHopTicket(value: unknown): value is HopTicket {
  if (!isJsonObject(value)) return false;
  const { id, runId, root, call, progress, expiresAtMs } = value;
  return (
    [id, runId, root].every((text) => typeof text === "string") &&
    typeof expiresAtMs === "number" &&
    isJsonObject(call) &&
    isJsonObject(call.arguments) &&
    isJsonObject(progress) &&
    typeof progress.calls === "number" &&
    Array.isArray(progress.seen)
  );
}
